import { access } from './en/access.js'
import { accountWords } from './en/account.js'
import { cases } from './en/cases.js'
import { office } from './en/office.js'
import { stored } from './en/own-texts.js'
import { people } from './en/people.js'
import { planning } from './en/planning.js'
import { shell } from './en/shell.js'
import { userWords } from './en/users.js'
import { webhookWords } from './en/webhooks.js'
import type { Words } from './fr.js'

export const en: Words = {
  stored,
  ...shell,
  ...cases,
  ...people,
  planning,
  ...webhookWords,
  ...access,
  ...userWords,
  ...accountWords,
  ...office,
}
