import { userInfo } from 'node:os'
import type { Actor, Sav } from '@sav/core'
import type { StoreStorage } from '../installation/database.js'
import type { Settings } from '../settings/settings.js'
import type { Terminal } from '../terminal/terminal.js'
import type { ProcessIO } from './process-io.js'

interface Opened {
  readonly sav: Sav
  readonly storage: StoreStorage
}

interface OpenedAccount extends Opened {
  readonly account_id: string
  /** Who runs the command, in that account. */
  readonly actor: Actor
}

/** What a command works with. */
export interface Context extends ProcessIO {
  readonly settings: Settings
  readonly json: boolean
  /** What `--account` says; not yet known to exist. */
  readonly account: string
  /** Where the command's answer goes. */
  readonly terminal: Terminal
  /** The service on the store, opened at the first call and closed when the command is over. */
  open(): Promise<Opened>
  /**
   * The same, in the account that `--account` names.
   * @throws CommandError when there is no such account
   */
  openAccount(): Promise<OpenedAccount>
}

/** The user of this computer, as the history of a case will tell it. */
export function cliActor(account_id: string): Actor {
  return { account_id, type: 'cli', id: null, nom: userName() }
}

/** A container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
