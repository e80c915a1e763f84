import type { Transaction } from '@sav/core/ports'
import type { QueryRunner } from '../statements/query-runner.js'
import { Accounts } from './accounts.js'
import { Audit } from './audit.js'
import { Calendars } from './calendars.js'
import { Cases } from './cases.js'
import { Deliveries, Replays } from './deliveries.js'
import { Directory } from './directory.js'
import { Endpoints } from './endpoints.js'
import { Evidence } from './evidence.js'
import { FileRemovals, Files } from './files.js'
import { Idempotency } from './idempotency.js'
import { Buckets, Facts, Processes } from './installation.js'
import { Keys } from './keys.js'
import { Events, Outbox } from './outbox.js'
import { Planning, RdvPages } from './planning.js'
import { Reports } from './reports.js'
import { Sessions } from './sessions.js'
import { Users } from './users.js'

/** Every repository, the only list of them: on a transaction's db it is what the transaction is given, else reads. */
export function repositoriesOn(db: QueryRunner): Transaction {
  return {
    accounts: new Accounts(db),
    keys: new Keys(db),
    users: new Users(db),
    sessions: new Sessions(db),
    audit: new Audit(db),
    idempotency: new Idempotency(db),
    directory: new Directory(db),
    cases: new Cases(db),
    files: new Files(db),
    fileRemovals: new FileRemovals(db),
    evidence: new Evidence(db),
    reports: new Reports(db),
    calendars: new Calendars(db),
    planning: new Planning(db),
    rdvPages: new RdvPages(db),
    endpoints: new Endpoints(db),
    deliveries: new Deliveries(db),
    events: new Events(db),
    replays: new Replays(db),
    facts: new Facts(db),
    outbox: new Outbox(db),
    processes: new Processes(db),
    buckets: new Buckets(db),
  }
}
