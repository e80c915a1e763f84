import * as z from 'zod'
import type { Reads, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { NewId } from '../values/ids.js'
import { lazily } from '../values/lazily.js'
import { companyNow, disableReasons, type Notice } from './letter.js'
import { type LetterWriter, NoLetter } from './letter-channel.js'

const noticeEvent = 'notice'

const noticeBody = lazily(() => z.object({ data: z.looseObject({ type: z.string() }) }))
const endpointDisabled = lazily(() =>
  z.object({ type: z.literal('endpoint_disabled'), url: z.string(), reason: z.enum(disableReasons), date: z.string() }),
)
const keyExpires = lazily(() => z.object({ type: z.literal('key_expires'), nom: z.string(), date: z.string() }))

/** A notice in the outbox: ids instead of personal data. */
export interface NewNotice {
  readonly type: Notice['type']
  readonly [field: string]: string | number | null
}

/** Creates a notice from its outbox data, when it is sent. @throws NoLetter if it is obsolete */
export type NoticeOf = (account_id: string, kept: unknown) => Promise<Notice>

/** The notices of the core, by type. */
const coreNotices: Readonly<Record<string, NoticeOf>> = {
  endpoint_disabled: async (_, kept) => endpointDisabled().parse(kept),
  key_expires: async (_, kept) => keyExpires().parse(kept),
}

/** Writes a notice to the account into the transaction of its cause: see createNotify. */
export type Notify = (tx: Transaction, account_id: string, notice: NewNotice) => Promise<void>

/** Creates a `Notify`, which does nothing if no e-mail can be sent. */
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

/** @param added the notices of features, by type */
export function noticeWriter(reads: Pick<Reads, 'accounts'>, added: Readonly<Record<string, NoticeOf>>): LetterWriter {
  const notices = { ...coreNotices, ...added }
  return {
    event: noticeEvent,
    async write({ id, account_id, body }) {
      const account = await reads.accounts.find(account_id)
      if (!account?.email)
        throw new NoLetter(
          'letter_no_email',
          'no e-mail address on file for the account: add it, then retry this delivery',
        )
      const { data } = noticeBody().parse(JSON.parse(body))
      const notice = await notices[data.type]?.(account_id, data)
      // The type may be from a newer release, and another process may know it.
      if (notice === undefined) throw new Error(`this process has no notices of the type ${data.type}`)
      return { kind: 'notice', id, to: account.email, societe: companyNow(account), notice }
    },
  }
}
