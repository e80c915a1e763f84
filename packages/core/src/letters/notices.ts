import * as z from 'zod'
import type { Reads, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { NewId } from '../values/ids.js'
import { lazily, type Output } from '../values/lazily.js'
import { companyNow, disableReasons, type Notice } from './letter.js'
import { type LetterWriter, NoLetter } from './letter-channel.js'

const noticeEvent = 'notice'

const noticeBody = lazily(() =>
  z.object({
    data: z.discriminatedUnion('type', [
      z.object({
        type: z.literal('endpoint_disabled'),
        url: z.string(),
        reason: z.enum(disableReasons),
        date: z.string(),
      }),
      z.object({ type: z.literal('key_expires'), nom: z.string(), date: z.string() }),
      // The data of its subject is looked up when it is sent.
      z.object({
        type: z.literal('rdv_client'),
        acte: z.enum(['annule', 'deplace']),
        rdv_id: z.number(),
        ancien_debut: z.string().nullable(),
        date: z.string(),
      }),
    ]),
  }),
)

/** A notice in the outbox: ids in the place of personal data. */
export type NewNotice = Output<typeof noticeBody>['data']
export type Notify = (tx: Transaction, account_id: string, notice: NewNotice) => Promise<void>

/**
 * Writes a notice to the account into the transaction of its subject. It writes nothing where no e-mail can be sent.
 */
export function createNotify({
  clock,
  newId,
  byEmail,
}: {
  readonly clock: Clock
  readonly newId: NewId
  readonly byEmail: boolean
}): Notify {
  return async (tx, account_id, notice) => {
    if (!byEmail) return
    const id = newId('evt')
    await tx.outbox.add({
      id,
      account_id,
      event: noticeEvent,
      body: JSON.stringify({ event: noticeEvent, data: { event_id: id, ...notice } }),
      created_at: toInstant(clock.now()),
      deliveries: [{ id: newId('dlv'), channel: 'email', target: 'email' }],
    })
  }
}

export function noticeWriter(reads: Pick<Reads, 'accounts' | 'planning' | 'directory'>): LetterWriter {
  return {
    event: noticeEvent,
    async write({ id, account_id, body }) {
      const account = await reads.accounts.find(account_id)
      if (!account?.email)
        throw new NoLetter('no e-mail address on file for the account: add it, then retry this delivery')
      const notice = await noticeOf(reads, account_id, noticeBody().parse(JSON.parse(body)).data)
      return { kind: 'notice', id, to: account.email, societe: companyNow(account), notice }
    },
  }
}

async function noticeOf(
  reads: Pick<Reads, 'planning' | 'directory'>,
  account_id: string,
  kept: NewNotice,
): Promise<Notice> {
  if (kept.type !== 'rdv_client') return kept
  const { type, acte, ancien_debut, rdv_id } = kept
  const rdv = await reads.planning.find(account_id, rdv_id)
  const client = rdv && (await reads.directory.findClient(account_id, rdv.client.id))
  if (rdv === null || client === null || client.efface_le !== null)
    throw new NoLetter('the appointment is of somebody who was erased: there is nothing to tell')
  const { sav, debut, motif_annulation: motif } = rdv
  const reference = sav?.reference ?? null
  return { type, acte, client: rdv.client, telephone: client.telephone, reference, debut, ancien_debut, motif }
}
