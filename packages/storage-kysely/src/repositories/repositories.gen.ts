// Written by scripts/lists.mjs, from the files beside it and below.
import type { Transaction } from '@sav/core/ports'
import type { QueryRunner } from '../statements/query-runner.js'
import { Accounts } from './accounts.js'
import { Audit } from './audit.js'
import { Cases } from './cases.js'
import { Deliveries, Replays } from './deliveries.js'
import { Directory } from './directory.js'
import { Endpoints } from './endpoints.js'
import { ErasedAccounts } from './erased-accounts.js'
import { Evidence } from './evidence.js'
import { Files, FileRemovals } from './files.js'
import { Idempotency } from './idempotency.js'
import { Facts, Processes } from './installation.js'
import { Keys } from './keys.js'
import { Outbox, Events } from './outbox.js'
import { Reports } from './reports.js'
import { Views } from './views.js'

/** Creates every repository of the core on a connection: for a transaction, or for reads. */
export const repositoriesOn = (db: QueryRunner): Omit<Transaction, 'of'> => ({
  accounts: new Accounts(db),
  audit: new Audit(db),
  cases: new Cases(db),
  deliveries: new Deliveries(db),
  replays: new Replays(db),
  directory: new Directory(db),
  endpoints: new Endpoints(db),
  erasedAccounts: new ErasedAccounts(db),
  evidence: new Evidence(db),
  files: new Files(db),
  fileRemovals: new FileRemovals(db),
  idempotency: new Idempotency(db),
  facts: new Facts(db),
  processes: new Processes(db),
  keys: new Keys(db),
  outbox: new Outbox(db),
  events: new Events(db),
  reports: new Reports(db),
  views: new Views(db),
})
