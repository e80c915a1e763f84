import { journal, keys } from './fr/access.js'
import { account, health, worktime } from './fr/account.js'
import { cases, closing, newCase, oneCase, priorite, statut, type_probleme } from './fr/cases.js'
import { client, home, poseur, rdv } from './fr/people.js'
import { planning } from './fr/planning.js'
import { shell } from './fr/shell.js'
import { signIn, users } from './fr/users.js'
import { catalogue, deliveries, webhooks } from './fr/webhooks.js'

export const fr = {
  ...shell,
  statut,
  priorite,
  type_probleme,
  cases,
  oneCase,
  newCase,
  closing,
  client,
  poseur,
  rdv,
  planning,
  account,
  health,
  worktime,
  home,
  webhooks,
  deliveries,
  catalogue,
  keys,
  signIn,
  users,
  journal,
}

/** Every sentence of the console: French is the first, and the others say the same. */
export type Words = typeof fr
