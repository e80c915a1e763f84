import type {
  AccountReads,
  AnswerReads,
  AuditReads,
  CaseReads,
  DeliveryQueue,
  DirectoryReads,
  EvidenceReads,
  FileReads,
  KeyReads,
  Processes,
  ReportReads,
  Storage,
  Transaction,
  WebhookReads,
} from '@sav/core/ports'
import { CompiledQuery, sql } from 'kysely'
import { Accounts, Keys } from './access.js'
import { Answers, processesOf } from './answers.js'
import { Audit } from './audit.js'
import { Cases } from './cases.js'
import type { CompiledStatements } from './compiled-statements.js'
import { Directory } from './directory.js'
import { Evidence } from './evidence.js'
import { Files } from './files.js'
import { KyselyOutbox } from './outbox.js'
import { KyselyQueue } from './queue.js'
import { Reports } from './reports.js'
import { type Connection, Session } from './session.js'
import { insertion, type Named, statement } from './statement.js'
import type { Wakes } from './wakes.js'
import { Webhooks } from './webhooks.js'

/** What an open database gives to the storage. */
export interface Database {
  readonly statements: CompiledStatements
  /** Sees committed data only. */
  readonly reads: Connection
  /** As `Storage.transaction` promises it. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  close(): Promise<void>
  readonly wakes: Wakes
}

export class KyselyStorage implements Storage {
  readonly accounts: AccountReads
  readonly keys: KeyReads
  readonly audit: AuditReads
  readonly answers: AnswerReads
  readonly directory: DirectoryReads
  readonly cases: CaseReads
  readonly files: FileReads
  readonly evidence: EvidenceReads
  readonly reports: ReportReads
  readonly webhooks: WebhookReads
  readonly queue: DeliveryQueue
  readonly processes: Processes
  readonly #database: Database
  readonly #reads: Repositories

  constructor(database: Database) {
    const session = new Session(database.statements, database.reads, { inTransaction: false })
    const reads = new Repositories(session)
    this.accounts = reads.accounts
    this.keys = reads.keys
    this.audit = reads.audit
    this.answers = reads.answers
    this.directory = reads.directory
    this.cases = reads.cases
    this.files = reads.files
    this.evidence = reads.evidence
    this.reports = reads.reports
    this.webhooks = reads.webhooks
    this.queue = new KyselyQueue(session, (work) => this.#transact(work), database.wakes)
    this.processes = processesOf((work) => this.#transact(work))
    this.#database = database
    this.#reads = reads
  }

  fact(name: string): Promise<string | null> {
    return this.#reads.fact(name)
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transact((session) => work(new Repositories(session)))
  }

  /** A transaction, though it writes nothing: a store that answers reads but takes no writes is not there. */
  async ping(): Promise<void> {
    await this.#database.transaction((connection) => connection.executeQuery(CompiledQuery.raw('select 1')))
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  async #transact<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { statements, wakes } = this.#database
    let leavesDue = false
    const result = await this.#database.transaction(async (connection) => {
      const session = new Session(statements, connection, { inTransaction: true })
      const worked = await work(session)
      await session.end()
      leavesDue = session.leavesDue
      return worked
    })
    if (leavesDue) wakes.announce()
    return result
  }
}

const findFact = statement((db, p: Named<{ name: string }>) =>
  db.selectFrom('facts').select('value').where('name', '=', p('name')),
)
/** By name: there may be no row yet. */
const lockFact = statement((_, p: Named<{ name: string }>, { lockName }) => lockName(p('name')))
const setFact = insertion('facts', ['name', 'value'], sql`on conflict (name) do update set value = excluded.value`)

class Repositories implements Transaction {
  readonly accounts: Accounts
  readonly keys: Keys
  readonly audit: Audit
  readonly answers: Answers
  readonly directory: Directory
  readonly cases: Cases
  readonly files: Files
  readonly evidence: Evidence
  readonly reports: Reports
  readonly webhooks: Webhooks
  readonly outbox: KyselyOutbox
  readonly #session: Session

  constructor(session: Session) {
    this.accounts = new Accounts(session)
    this.keys = new Keys(session)
    this.audit = new Audit(session)
    this.answers = new Answers(session)
    this.directory = new Directory(session)
    this.cases = new Cases(session)
    this.files = new Files(session)
    this.evidence = new Evidence(session)
    this.reports = new Reports(session)
    this.webhooks = new Webhooks(session)
    this.outbox = new KyselyOutbox(session)
    this.#session = session
  }

  async fact(name: string): Promise<string | null> {
    await this.#session.lock(lockFact, { name })
    const row = await this.#session.first(findFact, { name })
    return row?.value ?? null
  }

  async setFact(name: string, value: string): Promise<void> {
    await this.#session.lock(lockFact, { name })
    await this.#session.run(setFact, { name, value })
  }
}
