import { type Rdv, type SlotQuery, sav } from '../api/client.js'
import { question } from '../api/read.js'
import { daysAfter, isDate, mondayOf, today } from '../session/zone.js'
import { hoursOf } from './hours.js'

interface Days {
  readonly du: string
  readonly au: string
}

export type View = 'week' | 'day'

/** The days in the address of the planning. */
export function shownDays(query: Readonly<Record<string, string>>): Days & { readonly view: View } {
  const view = query['vue'] === 'jour' ? 'day' : 'week'
  const asked = isDate(query['date']) ? query['date'] : today()
  const du = view === 'week' ? mondayOf(asked) : asked
  return { view, du, au: view === 'week' ? daysAfter(du, 6) : du }
}

/** All appointments of some days, without cancelled ones. */
export const visitsOf = question(async ({ du, au }: Days, signal) => {
  const found: Rdv[] = []
  for await (const rdv of sav.each('/v1/planning', { query: { du, au, limite: 200 }, signal }))
    if (rdv.statut !== 'annule') found.push(rdv)
  return found
})

/** Appointments, sorted by their beginning. */
export const someRdv = question(
  async (query: { client_id?: number; poseur_id?: number; du?: string; au?: string; limite?: number }, signal) =>
    (await sav.get('/v1/planning', { query, signal })).data,
)

/** An appointment, with the version that a change of it must send. */
export const visitById = question(
  async (id: number, signal) => (await sav.get('/v1/planning/{id}', { params: { id }, signal })).data,
)

/** The hours and absences of installers who can be assigned. */
export const worktimesOf = question(async (poseurs: readonly number[], signal) =>
  Promise.all(
    poseurs.map(async (id) => {
      const [hours, { data }] = await Promise.all([
        hoursOf.ask(id, signal),
        sav.get('/v1/planning/poseurs/{id}/absences', { params: { id }, signal }),
      ])
      return { poseur: id, hours, absences: data.absences }
    }),
  ),
)

export type AskedSlots = Omit<SlotQuery, 'limite'>

/** Free times, those with the least added travel first. */
export const slotsFor = question(
  async (asked: AskedSlots, signal) =>
    (await sav.get('/v1/planning/creneaux', { query: { ...asked, limite: 200 }, signal })).data,
)

/** A visit's place, for a search for free times. */
export function placeOf({ sav: dossier, lieu }: Pick<Rdv, 'sav' | 'lieu'>): Partial<AskedSlots> {
  if (lieu?.lat != null && lieu.lon !== null) return { lat: lieu.lat, lon: lieu.lon }
  if (lieu?.code_postal) return { code_postal: lieu.code_postal, ville: lieu.ville ?? undefined }
  return dossier === null ? {} : { sav_id: dossier.id }
}
