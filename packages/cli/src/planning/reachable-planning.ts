import type { Calendars, Planning, TypeProbleme } from '@sav/core'
import type { Context, OpenedAccount } from '../invocation/context.js'
import { type Reachable, reach, type Service } from '../invocation/reachable.js'
import { localAddress, wholeLink } from '../running/local-address.js'
import type { Settings } from '../settings/settings.js'

interface NewAbsence {
  readonly debut: string
  readonly fin: string
  readonly motif?: string | null | undefined
}

type Questions = 'list' | 'get' | 'slots' | 'horaires' | 'absences' | 'competences'

/** What can be done with appointments here, and over the network. */
export interface ReachablePlanning
  extends Reachable<Planning, Questions | 'book' | 'change' | 'optimise' | 'putHoraires'> {
  /** IANA name of the zone in which local dates and hours are shown. */
  readonly timeZone: string
  putAbsences(poseur_id: number, absences: NewAbsence[]): ReturnType<Planning['putAbsences']>
  /** Of the whole account where nobody is named. Its address is whole, wherever one can be told. */
  renewCalendar(poseur_id: number | undefined): ReturnType<Calendars['renew']>
  putCompetences(poseur_id: number, competences: TypeProbleme[]): ReturnType<Planning['putCompetences']>
}

/** Of the service that is called, or of the store. A service does not tell its zone: SAV_TIME_ZONE stands for it. */
export async function reachablePlanning(context: Context): Promise<ReachablePlanning> {
  const { remote, settings } = context
  return reach(context, {
    here: (opened) => planningHere(opened, settings),
    there: (service) => planningThere(service, { timeZone: settings.timeZone, base: remote?.url ?? null }),
  })
}

async function planningHere(opened: OpenedAccount, settings: Settings): Promise<ReachablePlanning> {
  const { sav, account_id, actor, perform, storage } = opened
  const { planning, writes } = sav
  const { fuseau } = await sav.accounts.get(account_id)
  return {
    timeZone: fuseau ?? settings.timeZone,
    list: (input) => planning.list(account_id, input),
    get: (id) => planning.get(account_id, id),
    slots: (input) => planning.slots(account_id, input),
    book: (input) => perform(writes.planning.book(actor, input)),
    change: (id, input) => perform(writes.planning.change(actor, id, input)),
    optimise: (input) => perform(writes.planning.optimise(actor, input)),
    horaires: (id) => planning.horaires(account_id, id),
    putHoraires: (id, input) => perform(writes.planning.putHoraires(actor, id, input)),
    absences: (id) => planning.absences(account_id, id),
    putAbsences: (id, absences) => perform(writes.planning.putAbsences(actor, id, absences)),
    async renewCalendar(poseur_id) {
      const { url } = await perform(writes.calendars.renew(actor, { poseur_id }))
      return { url: wholeLink(url, await localAddress(storage, settings)) }
    },
    competences: (id) => planning.competences(account_id, id),
    putCompetences: (id, competences) => perform(writes.planning.putCompetences(actor, id, competences)),
  }
}

function planningThere(
  { client, data, listed }: Service,
  { timeZone, base }: { readonly timeZone: string; readonly base: string | null },
): ReachablePlanning {
  return {
    timeZone,
    list: (query) => listed(client.get('/v1/planning', { query })),
    get: (id) => data(client.get('/v1/planning/{id}', { params: { id } })),
    slots: (query) => data(client.get('/v1/planning/creneaux', { query })),
    book: (body) => data(client.post('/v1/planning/rdv', { body })),
    change: (id, body) => data(client.patch('/v1/planning/{id}', { params: { id }, body })),
    optimise: (body) => data(client.post('/v1/planning/tournees/optimiser', { body })),
    horaires: (id) => data(client.get('/v1/planning/poseurs/{id}/horaires', { params: { id } })),
    putHoraires: (id, body) => data(client.put('/v1/planning/poseurs/{id}/horaires', { params: { id }, body })),
    absences: (id) => data(client.get('/v1/planning/poseurs/{id}/absences', { params: { id } })),
    putAbsences: (id, absences) =>
      data(client.put('/v1/planning/poseurs/{id}/absences', { params: { id }, body: { absences } })),
    async renewCalendar(id) {
      const { url } = await data(
        id === undefined
          ? client.post('/v1/planning/calendrier')
          : client.post('/v1/planning/poseurs/{id}/calendrier', { params: { id } }),
      )
      return { url: wholeLink(url, base) }
    },
    async competences(id) {
      return (await data(client.get('/v1/planning/poseurs/{id}/competences', { params: { id } }))).competences
    },
    async putCompetences(id, competences) {
      const call = client.put('/v1/planning/poseurs/{id}/competences', { params: { id }, body: { competences } })
      return (await data(call)).competences
    },
  }
}
