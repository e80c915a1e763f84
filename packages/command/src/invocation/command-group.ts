import type { PermissionDeclarations } from '@sav/core/feature'
import type { FieldCommand } from '../syntax/field-command.js'
import type { Act } from './action.js'

/** The headings of the help, in order: daily commands first. */
export const headings = [
  'Cases:',
  'Planning:',
  'Directory:',
  'Webhooks:',
  'Running:',
  'Accounts and keys:',
  'Setting up and upkeep:',
  'Import and export:',
  'Help:',
] as const

/** The values from which options of the command can choose: those of the core and of all features. */
export interface Offered {
  readonly permissions: PermissionDeclarations
  /** The names of all kinds of events. */
  readonly kinds: readonly string[]
}

/** Commands that are declared together. */
export interface CommandGroup {
  readonly heading: (typeof headings)[number]
  /** The position of the group under its heading, from 1; groups without a position come last. */
  readonly place?: number
  readonly add: (program: FieldCommand, act: Act, offered: Offered) => void
  /** Adds commands to groups that another `CommandGroup` declares; called after every `add`. */
  readonly addWithin?: (program: FieldCommand, act: Act) => void
}
