import { userInfo } from 'node:os'
import type { Actor, Sav, Write } from '@sav/core'
import type { AuditCall } from '@sav/core/internal'
import type { Transaction } from '@sav/core/ports'
import type { SavClient } from '@sav/http-node/client'
import type { StoreStorage } from '../installation/database.js'
import type { Remote } from '../settings/remote.js'
import type { Settings } from '../settings/settings.js'
import type { Terminal } from '../terminal/terminal.js'
import type { ProcessIO } from './process-io.js'

export interface Opened {
  readonly sav: Sav
  /** Writes a line into the audit of an account: this command, and who ran it. */
  record(tx: Transaction, call: Pick<AuditCall, 'account_id'>): Promise<void>
  /** Does a write of an account, with that line in the same transaction. */
  perform<Result>(account_id: string, write: Write<Result>): Promise<Result>
  readonly storage: StoreStorage
}

export interface OpenedAccount extends Omit<Opened, 'perform'> {
  readonly account_id: string
  /** Who runs the command, in that account. */
  readonly actor: Actor
  /** The same, of that account. */
  perform<Result>(write: Write<Result>): Promise<Result>
}

/** What a command works with. */
export interface Context extends ProcessIO {
  readonly settings: Settings
  readonly json: boolean
  /** The service that a command calls which can work on either; null: it works on the store. */
  readonly remote: Remote | null
  /** What `--account` says; not yet known to exist. */
  readonly account: string
  /** Whether `--account` was typed. */
  readonly accountGiven: boolean
  /** Where the command's answer goes. */
  readonly terminal: Terminal
  /** The service on the store, opened at the first call and closed when the command is over. */
  open(): Promise<Opened>
  /**
   * The same, in an account: the one that `--account` names, where none is given.
   * @throws CommandError when there is no such account
   */
  openAccount(account_id?: string): Promise<OpenedAccount>
  /** The API that the command calls: of the service, or of the store, in the same account. */
  api(account_id?: string): Promise<SavClient>
}

/** The user of this computer, as the history of a case will tell it. */
export function cliActor(account_id: string): Actor {
  return { account_id, type: 'cli', id: null, nom: userName() }
}

/** How the audit has a command that wrote: whoever ran it stands where a call has its address. */
export function commandCall(
  account_id: string | null,
  { command, startedAt }: { command: string; startedAt: number },
): AuditCall {
  return {
    time: startedAt,
    ip: `cli:${userName()}`,
    method: 'CLI',
    endpoint: command,
    key_id: null,
    user_id: null,
    account_id,
    status: 200,
    duration_ms: Date.now() - startedAt,
    request_id: `cli-${process.pid}-${startedAt}`,
  }
}

/** A container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
