import type { Command } from 'commander'
import type { Output } from '../process/outcome.js'
import type { SettingName } from '../settings/declared-settings.js'
import type { SettingFlag } from '../settings/settings.js'
import type { Context } from './context.js'

/** Options of every command. */
export interface GlobalOptions {
  readonly json?: boolean
  readonly account?: string
  readonly database?: string
  readonly profile?: string
  /** False for `--no-env-file`. */
  readonly env_file?: string | false
}

/** Options of every list. */
export interface ListOptions {
  readonly wide?: boolean
  readonly fields?: readonly string[]
}

/**
 * A command. Its options have the types that it expects: commander has parsed them, and the core checks their values.
 */
type Action<Args extends unknown[]> = (context: Context, ...args: Args) => Promise<Output | undefined>

/**
 * Creates the handler for commander. The command's module is loaded only when the command runs, so that `sav --help`
 * and error messages appear at once.
 * @param overrides the settings that options of this command override
 */
export type Act = <Args extends unknown[]>(
  load: () => Promise<Action<Args>>,
  overrides?: Readonly<Record<string, SettingName>>,
) => (this: Command, ...args: Args) => Promise<void>

export type Execute = (call: {
  readonly action: (context: Context) => Promise<Output | undefined>
  readonly options: GlobalOptions & ListOptions
  readonly flags: readonly SettingFlag[]
  /** The command's name, such as `sav cases create`. */
  readonly command: string
  /** The feature that the command belongs to; null for the core. */
  readonly feature: string | null
}) => Promise<void>
