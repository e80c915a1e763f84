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
  /** Adds this command and its user to the audit of an account. */
  record(tx: Transaction, call: Pick<AuditCall, 'account_id' | 'target'>): Promise<void>
  /**
   * Performs a write of an account, with that audit row in the same transaction.
   * @param target what it is about, such as `account:lyon`; null: nothing
   */
  perform<Result>(account_id: string, write: Write<Result>, target: string | null): Promise<Result>
  readonly storage: StoreStorage
  /** The operations of the store's features. */
  readonly operations: readonly FeatureRoutes[]
}

export interface OpenedAccount extends Omit<OpenedStore, 'perform'> {
  readonly account_id: string
  /** The user of the command, in that account. */
  readonly actor: Actor
  perform<Result>(write: Write<Result>, target: string | null): Promise<Result>
}

/** Asks a person at the terminal, repeating a question whose answer was refused. Null: the question was skipped. */
export type Asked = <T>(question: string, use: (answer: string) => Promise<T>) => Promise<T | null>

/** A question of `sav init` about a new store. Resolves to its result, as text; null: none. */
export type FirstQuestion = (context: Context, asked: Asked) => Promise<string | null>

/** The context of a command. */
export interface Context extends Display {
  readonly settings: Settings
  /** The questions of the command's features. */
  readonly firstQuestions: readonly FirstQuestion[]
  /** The kinds of events that an endpoint of the called service or store can choose. */
  eventKinds(): Promise<readonly EventKind[]>
  /** The service to call, for a command that can work on either; null: it works on the store. */
  readonly remote: Remote | null
  /** The value of `--account`; it may not exist. */
  readonly account: string
  /** Whether `--account` was given. */
  readonly accountGiven: boolean
  /** The service on the store, opened at the first call and closed after the command. */
  open(): Promise<OpenedStore>
  /**
   * The same, in an account: by default that of `--account`.
   * @throws CommandError when there is no such account
   */
  openAccount(account_id?: string): Promise<OpenedAccount>
  /** The API that the command calls, of the service or the store, in the same account. */
  api(account_id?: string): Promise<SavClient>
}

/** The service with the use cases of a feature, for the feature's commands: only a bin with that feature has them. */
export const withFeature = <F extends Feature>(sav: Sav): Sav<F> => sav as Sav<F>
