import { isDisabledByService, pvStateOf, type Reads, stateOf, toMs } from '@sav/core/feature'
import { type Agenda, planningStore } from '../appointments/planning-store.js'
import { isStanding } from '../appointments/rdv.js'
import type { FollowUp, FollowUpAccess } from './follow-up.js'

export interface FollowUpQuery {
  readonly account_id: string
  readonly may: FollowUpAccess
  readonly now: string
}

/** The most undelivered reports to read. */
const reportLimit = 200

/**
 * The follow-ups that result from the current state. The id of each includes its cause, so that another cause gives
 * another id.
 */
export async function derivedFollowUps(reads: Reads, asked: FollowUpQuery): Promise<FollowUp[]> {
  return [
    ...(await visitsInAbsences(reads, asked)),
    ...(await unsentReports(reads, asked)),
    ...(asked.may.receivers ? await failingReceivers(reads, asked) : []),
  ]
}

/** Future or current appointments of a poseur who is absent then. */
async function visitsInAbsences(reads: Reads, { account_id, now }: FollowUpQuery): Promise<FollowUp[]> {
  const hit: FollowUp[] = []
  for (const { poseur_id, absences, absences_depuis } of await reads.of(planningStore).agendas(account_id)) {
    for (const absence of comingOf(absences, now)) {
      const { debut, fin } = absence
      const left = { debut: later(debut, now), fin }
      const taken = await reads.of(planningStore).overlapping(account_id, [poseur_id], left)
      for (const rdv of taken) {
        if (!isStanding(rdv) || rdv.fin <= now) continue
        const { id: rdv_id, sav, client, poseur, equipiers, date_modification } = rdv
        const nom = [poseur, ...equipiers].find(({ id }) => id === poseur_id)?.nom ?? ''
        hit.push({
          id: `rdv_pendant_absence-${rdv_id}-${poseur_id}-${toMs(absence.debut)}`,
          type: 'rdv_pendant_absence',
          depuis: later(absences_depuis, date_modification),
          ...{ rdv_id, sav_id: sav?.id ?? null, client },
          texte: [nom, absence.motif].filter((text) => text !== null).join(' · '),
          code: null,
        })
      }
    }
  }
  return hit
}

const comingOf = (absences: Agenda['absences'], now: string) => absences.filter(({ fin }) => fin > now)

const later = (a: string | null, b: string): string => (a !== null && a > b ? a : b)

/** Reports that no channel delivered. Only the report of the latest close of a closed case counts. */
async function unsentReports(reads: Reads, { account_id }: FollowUpQuery): Promise<FollowUp[]> {
  const unsent: FollowUp[] = []
  for (const report of await reads.reports.failed(account_id, reportLimit)) {
    const { case_id: sav_id, sequence, event_id } = report
    const dossier = await reads.cases.find(account_id, sav_id)
    if (dossier === null || dossier.statut !== 'clos') continue
    if ((await reads.reports.ofCase(account_id, sav_id)).at(-1)?.sequence !== sequence) continue
    const deliveries = event_id === null ? [] : await reads.deliveries.ofEvent(account_id, event_id)
    const line = (await reads.cases.history(account_id, sav_id)).findLast(({ type }) => type === 'rapport')
    const depuis = line?.date ?? report.created_at
    const { canaux } = pvStateOf(report, deliveries)
    unsent.push({
      id: `rapport_non_remis-${sequence}-${toMs(depuis)}`,
      type: 'rapport_non_remis',
      depuis,
      ...{ rdv_id: null, sav_id, client: dossier.client },
      texte: canaux.flatMap(({ canal, erreur }) => (erreur === null ? [] : [`${canal}: ${erreur}`])).join('; '),
      code: canaux.find(({ code }) => code !== null)?.code ?? null,
    })
  }
  return unsent
}

async function failingReceivers(reads: Reads, { account_id, now }: FollowUpQuery): Promise<FollowUp[]> {
  const endpoints = await reads.endpoints.list(account_id)
  const records = await reads.endpoints.records(endpoints.map(({ id }) => ({ account_id, endpoint_id: id })))
  return endpoints.flatMap((endpoint) => {
    const kept = records.find(({ endpoint_id }) => endpoint_id === endpoint.id) ?? null
    const { etat, depuis } = stateOf(endpoint, kept, toMs(now))
    if (depuis === null || (etat !== 'en_echec' && !isDisabledByService(endpoint))) return []
    return {
      id: `recepteur_en_echec-${endpoint.id}-${toMs(depuis)}`,
      type: 'recepteur_en_echec' as const,
      depuis,
      ...{ rdv_id: null, sav_id: null, client: null },
      texte: endpoint.url,
      code: null,
    }
  })
}
