import type { Calendars, Planning, TypeProbleme } from '@sav/core'
import { createClient } from '@sav/http-node/client'
import type { Context } from '../invocation/context.js'
import { answered } from '../invocation/service-answer.js'
import type { Settings } from '../settings/settings.js'

type Answer<Name extends keyof Planning> = ReturnType<Planning[Name]>

interface NewAbsence {
  readonly debut: string
  readonly fin: string
  readonly motif?: string | null | undefined
}

/** What can be done with appointments here, and over the network. */
export interface ReachablePlanning {
  /** IANA name of the zone in which local dates and hours are shown. */
  readonly timeZone: string
  list(input: Parameters<Planning['list']>[1]): Answer<'list'>
  get(id: number): Answer<'get'>
  slots(input: Parameters<Planning['slots']>[1]): Answer<'slots'>
  book(input: Parameters<Planning['book']>[1]): Answer<'book'>
  change(id: number, input: Parameters<Planning['change']>[2]): Answer<'change'>
  optimise(input: Parameters<Planning['optimise']>[1]): Answer<'optimise'>
  horaires(poseur_id: number): Answer<'horaires'>
  putHoraires(poseur_id: number, input: Parameters<Planning['putHoraires']>[2]): Answer<'putHoraires'>
  absences(poseur_id: number): Answer<'absences'>
  putAbsences(poseur_id: number, absences: NewAbsence[]): Answer<'putAbsences'>
  /** Of the whole account where nobody is named. */
  renewCalendar(poseur_id: number | undefined): ReturnType<Calendars['renew']>
  competences(poseur_id: number): Answer<'competences'>
  putCompetences(poseur_id: number, competences: TypeProbleme[]): Answer<'putCompetences'>
}

/** Of the service that SAV_URL names, or of the store. A service does not tell its zone: SAV_TIME_ZONE stands for it. */
export async function reachablePlanning(context: Context): Promise<ReachablePlanning> {
  const { remote, timeZone } = context.settings
  if (remote !== null) return remotePlanning(remote, timeZone)
  const { sav, account_id, actor } = await context.openAccount()
  const { planning } = sav
  const { fuseau } = await sav.accounts.get(account_id)
  return {
    timeZone: fuseau ?? timeZone,
    list: (input) => planning.list(account_id, input),
    get: (id) => planning.get(account_id, id),
    slots: (input) => planning.slots(account_id, input),
    book: (input) => planning.book(actor, input),
    change: (id, input) => planning.change(actor, id, input),
    optimise: (input) => planning.optimise(actor, input),
    horaires: (id) => planning.horaires(account_id, id),
    putHoraires: (id, input) => planning.putHoraires(actor, id, input),
    absences: (id) => planning.absences(account_id, id),
    putAbsences: (id, absences) => planning.putAbsences(actor, id, absences),
    renewCalendar: (poseur_id) => sav.calendars.renew(actor, { poseur_id }),
    competences: (id) => planning.competences(account_id, id),
    putCompetences: (id, competences) => planning.putCompetences(actor, id, competences),
  }
}

function remotePlanning({ url, key }: NonNullable<Settings['remote']>, timeZone: string): ReachablePlanning {
  const client = createClient({ baseUrl: url, key })
  const data = async <T>(call: Promise<{ readonly data: T }>): Promise<T> => (await answered(url, call)).data
  return {
    timeZone,
    async list(query) {
      const { data, pagination } = await answered(url, client.get('/v1/planning', { query }))
      return { items: data, ...pagination }
    },
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
    renewCalendar: (id) =>
      data(
        id === undefined
          ? client.post('/v1/planning/calendrier')
          : client.post('/v1/planning/poseurs/{id}/calendrier', { params: { id } }),
      ),
    async competences(id) {
      return (await data(client.get('/v1/planning/poseurs/{id}/competences', { params: { id } }))).competences
    },
    async putCompetences(id, competences) {
      const call = client.put('/v1/planning/poseurs/{id}/competences', { params: { id }, body: { competences } })
      return (await data(call)).competences
    },
  }
}
