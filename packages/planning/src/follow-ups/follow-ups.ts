import type { Actor } from '@sav/core'
import { found, type Reads, toInstant, type WritesOf } from '@sav/core/feature'
import type { Clock } from '@sav/core/ports'
import { type PlanningReads, planningStore } from '../appointments/planning-store.js'
import { derivedFollowUps, type FollowUpQuery } from './derived.js'
import type { DoneFollowUp, FollowUp, FollowUpAccess, FollowUpRecord } from './follow-up.js'
import { followUpStore } from './follow-up-store.js'
import { isSettled } from './settled.js'

/**
 * The office's to-do list. A follow-up stays until it is marked as done or its cause is gone: the case is booked again,
 * the report is delivered, or the receiver answers.
 */
export interface FollowUps {
  /** Newest first, at most 200 events and 200 undelivered reports. */
  list(account_id: string, may: FollowUpAccess): Promise<FollowUp[]>
  /** Marks a follow-up as done. The first caller counts. @throws NotFoundError for one that cannot be marked */
  done(actor: Actor, id: string, may: FollowUpAccess): Promise<DoneFollowUp>
}

interface FollowUpDeps {
  readonly reads: Reads
  readonly clock: Pick<Clock, 'now'>
}

/** The most follow-ups to read. */
const limit = 200

export function followUpQueries({ reads, clock }: FollowUpDeps): Pick<FollowUps, 'list'> {
  return { list: (account_id, may) => openIn(reads, { account_id, may, now: toInstant(clock.now()) }) }
}

export function followUpWrites({ clock }: Pick<FollowUpDeps, 'clock'>): WritesOf<FollowUps, 'done'> {
  return {
    done({ account_id, type: acteur, id: acteur_id, nom }, id, may) {
      return {
        async write(tx) {
          const kept = await tx.of(followUpStore).find(account_id, id)
          if (kept?.fait) return doneView({ ...kept, fait: kept.fait })
          const now = toInstant(clock.now())
          const open = (await openIn(tx, { account_id, may, now })).find((each) => each.id === id) ?? null
          const { client, code: _, ...told } = found(open, 'follow-up', id)
          const fait = { le: now, par: { type: acteur, id: acteur_id, nom } }
          const own = { account_id, client_id: client?.id ?? null, debut: null }
          await tx.of(followUpStore).save({ ...own, ...told, texte: null, ...kept, fait })
          return doneView({ ...told, fait })
        },
      }
    },
  }
}

const doneView = ({
  id,
  type,
  fait,
}: Pick<FollowUpRecord, 'id' | 'type'> & { readonly fait: NonNullable<FollowUpRecord['fait']> }): DoneFollowUp => ({
  id,
  type,
  fait_le: fait.le,
  fait_par: fait.par,
})

async function openIn(reads: Reads, asked: FollowUpQuery): Promise<FollowUp[]> {
  const happened = await happenedIn(reads, asked)
  const derived = await derivedFollowUps(reads, asked)
  const done = new Set(
    await reads.of(followUpStore).done(
      asked.account_id,
      derived.map(({ id }) => id),
    ),
  )
  const open = [...happened, ...derived.filter(({ id }) => !done.has(id))]
  return open.toSorted((a, b) => (a.depuis < b.depuis ? 1 : a.depuis > b.depuis ? -1 : a.id < b.id ? -1 : 1))
}

/** Events of appointments that are not settled yet. */
async function happenedIn(reads: Reads, { account_id, now }: FollowUpQuery): Promise<FollowUp[]> {
  const ofClients = new Map<number, Awaited<ReturnType<PlanningReads['ofClient']>>>()
  const open: FollowUp[] = []
  for (const record of await reads.of(followUpStore).open(account_id, limit)) {
    const { client_id, rdv_id, sav_id, id, type, depuis, texte } = record
    if (client_id === null) continue
    const ofClient = ofClients.get(client_id) ?? (await reads.of(planningStore).ofClient(account_id, client_id))
    ofClients.set(client_id, ofClient)
    const rdv = ofClient.find((each) => each.id === rdv_id)
    if (rdv === undefined || isSettled(record, rdv, { ofClient, now })) continue
    // A closed case needs no further appointment.
    if (type !== 'terrain' && sav_id !== null && (await reads.cases.find(account_id, sav_id))?.statut === 'clos')
      continue
    open.push({
      id,
      type,
      depuis,
      rdv_id,
      sav_id,
      client: rdv.client,
      texte: texte ?? rdv.motif_annulation ?? '',
      code: null,
    })
  }
  return open
}
