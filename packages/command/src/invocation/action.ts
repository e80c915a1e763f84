import type { Command } from 'commander'
import type { Output } from '../process/outcome.js'
import type { SettingName } from '../settings/declared-settings.js'
import type { SettingFlag } from '../settings/settings.js'
import type { Context } from './context.js'

/** Options that every command takes. */
export interface GlobalOptions {
  readonly json?: boolean
  readonly account?: string
  readonly database?: string
  readonly profile?: string
  /** False: `--no-env-file`. */
  readonly env_file?: string | false
}

/** Those of every list. */
export interface ListOptions {
  readonly wide?: boolean
  readonly fields?: readonly string[]
}

/**
 * A command. Its options are typed as it wants them: commander has split and counted them, and the core judges their
 * values.
 */
type Action<Args extends unknown[]> = (context: Context, ...args: Args) => Promise<Output | undefined>

/**
 * Makes the handler that commander calls. The command's module is loaded only when it is called, so that `sav --help`
 * and mistakes answer at once.
 * @param overrides settings that options of this command override
 */
export type Act = <Args extends unknown[]>(
  load: () => Promise<Action<Args>>,
  overrides?: Readonly<Record<string, SettingName>>,
) => (this: Command, ...args: Args) => Promise<void>

export type Execute = (call: {
  readonly action: (context: Context) => Promise<Output | undefined>
  readonly options: GlobalOptions & ListOptions
  readonly flags: readonly SettingFlag[]
  /** Its words, as `sav cases create`. */
  readonly command: string
}) => Promise<void>
