import type { FieldCommand } from '../syntax/field-command.js'
import type { Act } from './action.js'

/** What help lists commands under, in its order: what is used daily first. */
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

/** Commands that are declared together. */
export interface CommandGroup {
  readonly heading: (typeof headings)[number]
  /** Where under its heading, from 1; those without one come after it. */
  readonly place?: number
  readonly add: (program: FieldCommand, act: Act) => void
  /** Adds commands to groups that others declare; called last. */
  readonly addWithin?: (program: FieldCommand, act: Act) => void
}
