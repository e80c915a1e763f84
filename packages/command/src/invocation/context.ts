import type { Actor, Sav, Write } from '@sav/core'
import type { AuditCall } from '@sav/core/adapter'
import type { Feature } from '@sav/core/feature'
import type { Transaction } from '@sav/core/ports'
import type { SavClient } from '@sav/http-node/client'
import type { FeatureRoutes } from '@sav/http-node/feature'
import type { EventKind } from '@sav/webhook-verify'
import type { Remote } from '../settings/remote.js'
import type { Settings } from '../settings/settings.js'
import type { StoreStorage } from '../store/database.js'
import type { Display } from '../terminal/terminal.js'

export interface OpenedStore {
  readonly sav: Sav
  /** Adds an audit row to an account, which names this command and its user. */
  record(tx: Transaction, call: Pick<AuditCall, 'account_id' | 'target'>): Promise<void>
  /**
   * Performs a write in an account, and adds the audit row of `record` in the same transaction.
   * @param target what the write changes, such as `account:lyon`; null if the audit names no target
   */
  perform<Result>(account_id: string, write: Write<Result>, target: string | null): Promise<Result>
  readonly storage: StoreStorage
  /** The operations of the store's features. */
  readonly operations: readonly FeatureRoutes[]
}

export interface OpenedAccount extends Omit<OpenedStore, 'perform'> {
  readonly account_id: string
  /** The user of this computer, as the actor in that account. */
  readonly actor: Actor
  perform<Result>(write: Write<Result>, target: string | null): Promise<Result>
}

/**
 * Asks a person at the terminal, and repeats the question if `use` refuses the answer. Resolves to null if the question
 * was skipped.
 */
export type Asked = <T>(question: string, use: (answer: string) => Promise<T>) => Promise<T | null>

/** A question of `sav init` about a new store. Resolves to a sentence about what was set up; null if nothing was. */
export type FirstQuestion = (context: Context, asked: Asked) => Promise<string | null>

/** The context of a command. */
export interface Context extends Display {
  readonly settings: Settings
  /** The questions of the command's features. */
  readonly firstQuestions: readonly FirstQuestion[]
  /** The kinds of events that an endpoint of the called service or store can choose. */
  eventKinds(): Promise<readonly EventKind[]>
  /** The service to call, for a command that works on a service or a store; null if it works on the store. */
  readonly remote: Remote | null
  /** The value of `--account`, default `default`. There may be no such account. */
  readonly account: string
  /** Whether `--account` was given. */
  readonly accountGiven: boolean
  /** The service on the store, opened at the first call and closed after the command. */
  open(): Promise<OpenedStore>
  /**
   * Like `open`, for one account; default: that of `--account`.
   * @throws CommandError if there is no such account
   */
  openAccount(account_id?: string): Promise<OpenedAccount>
  /**
   * The API that the command calls: that of the service, or of the store in the given account; default: that of
   * `--account`.
   */
  api(account_id?: string): Promise<SavClient>
}

/**
 * The service, typed with the use cases of a feature. Only a feature's own commands can use it, since they exist only
 * in a command with that feature.
 */
export const withFeature = <F extends Feature>(sav: Sav): Sav<F> => sav as Sav<F>
