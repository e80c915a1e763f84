import { type Poseur, sav } from '../api/client.js'
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

/** All installers, including inactive ones, who cannot be assigned. */
export const allPoseurs = question(async (_: 'all', signal) => {
  const found: Poseur[] = []
  for await (const poseur of sav.each('/api/v1/poseurs', { query: { limite: 200 }, signal })) found.push(poseur)
  return found
})
