import type { Transaction } from '@sav/core/ports'
import type { Session } from '../statements/session.js'
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

/** Every repository, the only list of them: on a transaction's session it is what the transaction is given, else reads. */
export function repositoriesOn(session: Session): Transaction {
  return {
    accounts: new Accounts(session),
    keys: new Keys(session),
    users: new Users(session),
    sessions: new Sessions(session),
    audit: new Audit(session),
    idempotency: new Idempotency(session),
    directory: new Directory(session),
    cases: new Cases(session),
    files: new Files(session),
    fileRemovals: new FileRemovals(session),
    evidence: new Evidence(session),
    reports: new Reports(session),
    calendars: new Calendars(session),
    planning: new Planning(session),
    rdvPages: new RdvPages(session),
    endpoints: new Endpoints(session),
    deliveries: new Deliveries(session),
    events: new Events(session),
    replays: new Replays(session),
    facts: new Facts(session),
    outbox: new Outbox(session),
    processes: new Processes(session),
    buckets: new Buckets(session),
  }
}
