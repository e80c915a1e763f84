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
  'Moving in and out:',
  'Help:',
] as const

/** What the options of a program offer, of the core and its features. */
export interface Offered {
  readonly permissions: PermissionDeclarations
  /** The kinds of events. */
  readonly kinds: readonly string[]
}

/** Commands that are declared together. */
export interface CommandGroup {
  readonly heading: (typeof headings)[number]
  /** Its place under the heading, from 1; groups without one come last. */
  readonly place?: number
  readonly add: (program: FieldCommand, act: Act, offered: Offered) => void
  /** Adds commands to groups that others declare; called last. */
  readonly addWithin?: (program: FieldCommand, act: Act) => void
}
