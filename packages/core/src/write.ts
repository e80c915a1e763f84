import { SavError } from './errors.js'
import type { Storage, Transaction } from './storage.js'

/**
 * A change for one transaction, as a value: its holder decides when it runs, and what else belongs to the same
 * transaction. It cannot begin a transaction itself.
 */
export interface Write<Result> {
  /**
   * The work that needs more than the transaction: checking an input, storing a file, resolving a name. It runs once,
   * before the transaction. When it rejects, nothing was begun.
   */
  prepare?(): Promise<unknown>
  /** Makes the change. It may run again after a conflict with another transaction, so it must use nothing but `tx`. */
  write(tx: Transaction, prepared: unknown): Promise<Result>
  /** Runs after the commit. A crash may prevent it, so nothing may depend on it: upkeep does the same later. */
  committed?(): Promise<void> | void
}

/** Called in the transaction of a write, just before its commit, with the result of the write. */
export type BeforeCommit<Result> = (tx: Transaction, result: Result) => Promise<void>

/** Makes a change, with `beforeCommit` in the same transaction: if either rejects, neither writes anything. */
export async function perform<Result>(
  storage: Pick<Storage, 'transaction'>,
  write: Write<Result>,
  beforeCommit?: BeforeCommit<Result>,
): Promise<Result> {
  const prepared = await write.prepare?.()
  const result = await storage.transaction(async (tx) => {
    const result = await write.write(tx, prepared)
    await beforeCommit?.(tx, result)
    return result
  })
  await write.committed?.()
  return result
}

/** A write whose `prepare` passes a value to its transaction. */
export function preparedWrite<Preparation, Result>(write: {
  prepare(): Promise<Preparation>
  write(tx: Transaction, prepared: Preparation): Promise<Result>
  committed?(): Promise<void> | void
}): Write<Result> {
  return write
}

/** The methods `Name` of a feature as writes, with the same arguments. */
export type WritesOf<Feature, Name extends keyof Feature> = {
  readonly [N in Name]: Feature[N] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Write<Result>
    : never
}

type DirectWrites<Writes> = {
  readonly [N in keyof Writes]: Writes[N] extends (...args: infer Args) => Write<infer Result>
    ? (...args: Args) => Promise<Result>
    : never
}

/**
 * The same methods, each of which makes its change at once. A bad argument makes it reject, never throw. If the actor's
 * account does not exist, the error says so.
 */
export function performing<Writes extends object>(
  storage: Pick<Storage, 'transaction' | 'reads'>,
  writes: Writes,
): DirectWrites<Writes> {
  const performed: Record<string, (...args: unknown[]) => Promise<unknown>> = {}
  for (const [name, write] of Object.entries(writes))
    performed[name] = async (...args) => {
      try {
        return await perform(storage, write(...args))
      } catch (error) {
        throw await withoutAccount(storage, Object(args[0]).account_id, error)
      }
    }
  // Object.entries loses which name belongs to which function.
  return performed as DirectWrites<Writes>
}

/** The error; or, if the account does not exist, an error that says so instead of the database's. */
async function withoutAccount({ reads }: Pick<Storage, 'reads'>, account_id: unknown, cause: unknown) {
  if (typeof account_id !== 'string' || cause instanceof SavError) return cause
  const account = await reads.accounts.find(account_id).catch(() => undefined)
  if (account !== null) return cause
  const remedy = 'accounts.add creates it, and start() creates `default` in a store without accounts.'
  return new Error(`There is no account ${account_id}: ${remedy}`, { cause })
}
