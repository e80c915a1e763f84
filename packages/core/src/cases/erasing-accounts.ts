import type { ErasedAccount } from '../directory/erased-account.js'
import { NotFoundError } from '../errors.js'
import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant, toMs } from '../time/time.js'
import { noteErasure, scrubErased } from './scrubbing.js'

/** After this time, no process accepts keys or sessions of a disabled account, and all earlier calls are recorded. */
const settledMs = 2000

/** Erasing accounts, by the operator of the service. */
export interface AccountErasure {
  /**
   * Disables the account, and deletes all its data in small steps, files included. Its name remains reserved. The
   * digests of its evidence chain remain too, unless `everything` is set. If interrupted, call it again; an erasure
   * that was begun with `everything` still erases everything.
   * @param options `everything` also deletes the digests of the chain, except the record of the last entry. `by` is
   *   recorded: the caller, as the audit names callers
   * @throws NotFoundError for an account that never existed
   */
  erase(name: string, options?: { readonly everything?: boolean; readonly by?: string }): Promise<ErasedAccount>
  /** What remains of erased accounts, finished or not, by name. */
  erased(): Promise<ErasedAccount[]>
}

const unended = { chain_erased_at: null, chain_erased_by: null, date: null, sequence: null, hash_entree: null } as const

export interface AccountErasureDeps {
  readonly storage: Storage
  readonly clock: Clock
}

export function accountErasure({ storage, clock }: AccountErasureDeps): AccountErasure {
  const now = () => toInstant(clock.now())

  async function begin(
    name: string,
    { everything, by }: { readonly everything: boolean; readonly by: string | null },
  ): Promise<{ erased: ErasedAccount; disabledAt: string }> {
    return storage.transaction(async (tx) => {
      const account = await tx.accounts.find(name)
      const before = await tx.erasedAccounts.find(name)
      if (account === null && before === null) throw new NotFoundError('account', name)
      const disabledAt = account?.desactive_le ?? now()
      if (account !== null) await tx.accounts.update(name, { desactive_le: disabledAt })
      const found = before ?? { ...unended, id: name, begun_at: now(), begun_by: by }
      const gives = everything && found.chain_erased_at === null
      const erased = gives ? { ...found, chain_erased_at: now(), chain_erased_by: by } : found
      await tx.erasedAccounts.save(erased)
      return { erased, disabledAt }
    })
  }

  /** Deletes some rows of the account. Resolves to whether there may be more. */
  async function eraseSome(tx: Transaction, name: string): Promise<boolean> {
    const erased = await tx.erasedAccounts.find(name)
    if (erased === null) return false
    // Record the position of an entry before it is deleted.
    const head = await tx.evidence.head(name)
    if (head !== null && head.sequence > (erased.sequence ?? 0))
      await tx.erasedAccounts.save({ ...erased, sequence: head.sequence, hash_entree: head.hash_entree })
    return (await tx.erasedAccounts.eraseRows(name, { keepsChain: erased.chain_erased_at === null })) > 0
  }

  return {
    erased: () => storage.reads.erasedAccounts.list(),
    async erase(name, { everything = false, by = null } = {}) {
      const { disabledAt, erased: begun } = await begin(name, { everything, by })
      if (begun.date === null) await until(clock, toMs(disabledAt) + settledMs)
      while (await storage.transaction((tx) => eraseSome(tx, name)));
      await storage.outsideFiles?.removeAll(name)
      const erased = await storage.transaction(async (tx) => {
        // Rows written meanwhile are deleted with the account itself.
        while (await eraseSome(tx, name));
        await tx.erasedAccounts.remove(name)
        await noteErasure(tx, now())
        const left = await tx.erasedAccounts.find(name)
        const done = { ...begun, ...left, date: left?.date ?? now() }
        await tx.erasedAccounts.save(done)
        return done
      })
      await scrubErased(storage).catch(() => {})
      return erased
    },
  }
}

async function until(clock: Clock, ms: number): Promise<void> {
  const left = ms - clock.now()
  if (left > 0) await new Promise<void>((resolve) => clock.after(Math.min(left, settledMs), resolve))
}
