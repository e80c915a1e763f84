import * as access from './fr/access.js'
import * as account from './fr/account.js'
import * as cases from './fr/cases.js'
import * as office from './fr/office.js'
import * as people from './fr/people.js'
import { planning } from './fr/planning.js'
import { shell } from './fr/shell.js'
import * as users from './fr/users.js'
import * as webhooks from './fr/webhooks.js'

export const fr = {
  /** The texts that the service writes are already in French. */
  stored: (text: string) => text,
  ...shell,
  ...cases,
  ...people,
  planning,
  ...webhooks,
  ...access,
  ...users,
  ...account,
  ...office,
}

/** Every sentence of the console. French comes first, and the other languages say the same. */
export type Words = typeof fr
