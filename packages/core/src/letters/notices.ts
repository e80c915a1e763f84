import * as z from 'zod'
import type { Reads, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { NewId } from '../values/ids.js'
import { companyNow, disableReasons, type Notice } from './letter.js'
import { type LetterWriter, NoLetter } from './letter-channel.js'

const noticeEvent = 'notice'

const noticeBody = z.object({
  data: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('endpoint_disabled'),
      url: z.string(),
      reason: z.enum(disableReasons),
      date: z.string(),
    }),
    z.object({ type: z.literal('key_expires'), nom: z.string(), date: z.string() }),
  ]),
})

export type Notify = (tx: Transaction, account_id: string, notice: Notice) => Promise<void>

/** Writes a notice to the account into the transaction of what it tells; nothing where no e-mail can be sent. */
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

export function noticeWriter(reads: Pick<Reads, 'accounts'>): LetterWriter {
  return {
    event: noticeEvent,
    async write({ id, account_id, body }) {
      const account = await reads.accounts.find(account_id)
      if (!account?.email)
        throw new NoLetter('no e-mail address on file for the account: add it, then retry this delivery')
      const notice: Notice = noticeBody.parse(JSON.parse(body)).data
      return { kind: 'notice', id, to: account.email, societe: companyNow(account), notice }
    },
  }
}
