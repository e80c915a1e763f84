import type { Transaction } from '@sav/core/ports'
import type { Session } from '../statements/session.js'
import { Accounts } from './accounts.js'
import { Audit } from './audit.js'
import { Buckets } from './buckets.js'
import { Calendars } from './calendars.js'
import { Cases } from './cases.js'
import { Deliveries } from './deliveries.js'
import { Directory } from './directory.js'
import { Endpoints } from './endpoints.js'
import { Events } from './events.js'
import { Evidence } from './evidence.js'
import { Facts } from './facts.js'
import { FileRemovals } from './file-removals.js'
import { Files } from './files.js'
import { Idempotency } from './idempotency.js'
import { Keys } from './keys.js'
import { Outbox } from './outbox.js'
import { Planning } from './planning.js'
import { Processes } from './processes.js'
import { RdvPages } from './rdv-pages.js'
import { Replays } from './replays.js'
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
