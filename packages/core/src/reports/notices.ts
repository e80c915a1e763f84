import type { NewId } from '../ids.js'
import type { Clock, Storage, Transaction } from '../ports.js'
import { toInstant } from '../time.js'
import type { Notice } from './report.js'

/** What the history calls a letter on its way; no receiver can choose it. */
export const reportEvent = 'sav.report'
const noticeEvent = 'notice'

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

const day = 86_400_000

/** Warns of keys that are about to expire, each once. */
export function createKeyWarnings({
  storage,
  clock,
  notify,
}: {
  readonly storage: Storage
  readonly clock: Clock
  readonly notify: Notify
}): () => Promise<void> {
  return async () => {
    const now = toInstant(clock.now())
    const soon = toInstant(clock.now() + 30 * day)
    for (const { id: account_id } of await storage.accounts.list()) {
      for (const { id, nom, expires_at, revoked_at } of await storage.keys.list(account_id)) {
        if (revoked_at !== null || expires_at <= now || expires_at > soon) continue
        const fact = `key_expiry_notice ${id}`
        if ((await storage.fact(fact)) === expires_at) continue
        await storage.transaction(async (tx) => {
          if ((await tx.fact(fact)) === expires_at) return
          await tx.setFact(fact, expires_at)
          await notify(tx, account_id, { type: 'key_expires', nom, date: expires_at })
        })
      }
    }
  }
}
