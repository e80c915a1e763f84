import { sav } from '../api/client.js'
import { question } from '../api/read.js'

export const peoplePerPage = 50

export const someClients = question((query: { recherche?: string | undefined; page: number }, signal) =>
  sav.get('/api/v1/clients', { query: { ...query, limite: peoplePerPage }, signal }),
)

export const clientById = question(
  async (id: number, signal) => (await sav.get('/api/v1/clients/{id}', { params: { id }, signal })).data,
)

export const poseurById = question(
  async (id: number, signal) => (await sav.get('/api/v1/poseurs/{id}', { params: { id }, signal })).data,
)

/** Appointments, by their beginning. */
export const someRdv = question(
  async (query: { client_id?: number; poseur_id?: number; du?: string; au?: string; limite?: number }, signal) =>
    (await sav.get('/v1/planning', { query, signal })).data,
)
