import type { Delivery } from '../delivery/delivery.js'
import type { AttemptOutcome } from '../delivery/delivery-queue.js'
import { emit } from '../delivery/outbox.js'
import { drawnReport } from '../evidence/case-check.js'
import type { ReportRecord, ReportStatut } from '../reports/report.js'
import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { NewId } from '../values/ids.js'
import type { Random } from '../values/random.js'
import { reportEventData } from './case-events.js'
import { historyEntry, recordChange } from './history.js'
import { noteErasure } from './scrubbing.js'

export interface ReportSettlingDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly newId: NewId
  readonly random: Random
}

/** Records the outcome of reports being sent, once for each, even after a crash. */
export interface ReportSettler {
  /** Called after outcomes were recorded. */
  note(outcomes: readonly AttemptOutcome[]): Promise<void>
  /** Settles reports that a dead process left unsettled. False if there were none. */
  step(): Promise<boolean>
}

/**
 * The state of a report, from its deliveries: sent once one channel accepted it, failed when all channels have failed.
 * A failed report can still be sent by a retry on request.
 */
function decideSettled(
  { statut }: Pick<ReportRecord, 'statut'>,
  deliveries: readonly Pick<Delivery, 'state' | 'channel'>[],
): { readonly statut: ReportStatut; readonly canal: string | null } | null {
  const accepted = deliveries.find(({ state }) => state === 'delivered')
  if (accepted !== undefined) return statut === 'envoye' ? null : { statut: 'envoye', canal: accepted.channel }
  const isOver = deliveries.every(({ state }) => state === 'failed')
  return isOver && statut === 'en_file' ? { statut: 'echec', canal: null } : null
}

/** The most reports that a step settles. */
const batch = 50

export function createReportSettling({ storage, clock, newId, random }: ReportSettlingDeps): ReportSettler {
  async function settle({ account_id, sequence }: ReportRecord): Promise<boolean> {
    return storage.transaction(async (tx) => {
      const report = await tx.reports.lock(account_id, sequence)
      if (report === null || report.event_id === null) return false
      // If the client was erased while the letter was being sent, the stored answer may still name that person.
      if (report.erased_at !== null) {
        await tx.deliveries.forgetResponses(account_id, report.event_id)
        await noteErasure(tx, toInstant(clock.now()))
      }
      const decided = decideSettled(report, await tx.deliveries.ofEvent(account_id, report.event_id))
      if (decided === null) return false
      await tx.reports.update({ ...report, ...decided })
      await tell(tx, { ...report, ...decided }, report.statut)
      return true
    })
  }

  async function tell(tx: Transaction, report: ReportRecord, before: ReportStatut): Promise<void> {
    const { account_id, case_id, statut, canal } = report
    const found = await tx.cases.lock(account_id, case_id)
    if (found === null) return
    const at = toInstant(clock.now())
    const change = { champ: 'pv', ancien: before, nouveau: statut }
    const version = found.version + 1
    const actor = { account_id, type: 'systeme', id: null, nom: 'envoi du rapport' } as const
    const lines = [historyEntry(actor, at, 'rapport', { change, commentaire: canal })]
    await recordChange(tx, random, found, { date_modification: at, lines })
    const event = statut === 'envoye' ? 'sav.report_sent' : 'sav.report_failed'
    const data = reportEventData({ ...found, version }, [change], report)
    await emit(tx, newId, { account_id, event, at, data })
  }

  return {
    async note(outcomes) {
      for (const { delivery } of outcomes) {
        if (delivery.channel === 'webhook') continue
        const report = await storage.reads.reports.ofEvent(delivery.account_id, delivery.event_id)
        if (report !== null) await settle(report)
      }
    },
    async step() {
      let settled = false
      for (const report of await storage.reads.reports.unsettled(batch)) if (await settle(report)) settled = true
      return settled
    },
  }
}

/** Records the drawn PDF in the history of a case, so that a replaced file is detected. */
export function drawnRecorder({
  clock,
  random,
}: Pick<ReportSettlingDeps, 'clock' | 'random'>): (
  tx: Transaction,
  report: ReportRecord,
  pdf: string,
) => Promise<void> {
  return async (tx, { account_id, case_id, sequence }, pdf) => {
    const found = await tx.cases.lock(account_id, case_id)
    if (found === null) return
    const at = toInstant(clock.now())
    const actor = { account_id, type: 'systeme', id: null, nom: 'dessin du rapport' } as const
    const change = { champ: drawnReport(sequence), ancien: null, nouveau: pdf }
    const lines = [historyEntry(actor, at, 'pv', { change })]
    await recordChange(tx, random, found, { date_modification: at, lines })
  }
}
