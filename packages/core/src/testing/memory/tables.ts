import type { ApiKeyRecord } from '../../access/api-key.js'
import type { AuditRecord } from '../../access/audit-record.js'
import type { KeptAnswer } from '../../access/kept-answer.js'
import type { ChainedHistoryEntry, Closing, NewCase } from '../../cases/case.js'
import type { AttemptRecord, Delivery } from '../../delivery/delivery.js'
import type { Lane } from '../../delivery/delivery-queue.js'
import type { OutboxEntry } from '../../delivery/outbox-store.js'
import type { ReplayJob } from '../../delivery/replay.js'
import type { Account, Client, Poseur } from '../../directory/directory.js'
import type { EvidenceEntry } from '../../evidence/evidence.js'
import type { EvidenceStamp } from '../../evidence/evidence-store.js'
import type { StoredFile } from '../../files/stored-file.js'
import type { ReportRecord } from '../../reports/report.js'
import type { Statut } from '../../vocabulary.js'
import type { EndpointRecord } from '../../webhooks/endpoint.js'

/**
 * Rows by key. A row is replaced, never changed. A table over a base is a draft: it shows its own rows over those of the
 * base, which sees them only once they are committed.
 */
export class Table<Key, Row> {
  readonly #base: Table<Key, Row> | undefined
  /** Undefined: a row of the base that the draft has taken away. */
  readonly #rows = new Map<Key, Row | undefined>()

  constructor(base?: Table<Key, Row>) {
    this.#base = base
  }

  get(key: Key): Row | undefined {
    return this.#rows.has(key) ? this.#rows.get(key) : this.#base?.get(key)
  }

  /** In the order in which their keys first came. */
  *values(): Generator<Row> {
    const base = this.#base
    for (const key of base === undefined ? [] : base.#rows.keys()) {
      const row = this.get(key)
      if (row !== undefined) yield row
    }
    for (const [key, row] of this.#rows) if (row !== undefined && base?.get(key) === undefined) yield row
  }

  where(holds: (row: Row) => boolean): Row[] {
    const rows: Row[] = []
    for (const row of this.values()) if (holds(row)) rows.push(row)
    return rows
  }

  put(key: Key, row: Row): void {
    this.#rows.set(key, row)
  }

  remove(key: Key): void {
    if (this.#base === undefined) this.#rows.delete(key)
    else this.#rows.set(key, undefined)
  }

  commit(): void {
    for (const [key, row] of this.#rows) {
      if (row === undefined) this.#base?.remove(key)
      else this.#base?.put(key, row)
    }
  }
}

/** Runs what it is given when no transaction is under way. */
export type Alone = <T>(work: () => T) => Promise<T>

export interface Owned {
  readonly account_id: string
}

export interface CaseRow extends NewCase {
  readonly id: number
  readonly statut: Statut
  readonly poseur_id: number | null
  readonly notes_internes: string | null
  readonly sel_notes: string | null
  readonly closing: Closing | null
  readonly date_modification: string
  readonly version: number
}

export interface DeliveryRow extends Delivery {
  readonly body: string
  readonly lane: Lane
  readonly run_attempt_count: number
  readonly run_started_at: string
  readonly lease_token: string | null
  readonly leased_until: string | null
  readonly intended_at: string | null
  readonly traceparent: string | null
}

/** What composite keys are made of: JSON, so that no two of them can read the same. */
export function keyOf(...parts: readonly (string | number)[]): string {
  return JSON.stringify(parts)
}

export class Tables {
  readonly accounts: Table<string, Account>
  /** By account and SHA-256. */
  readonly logos: Table<string, StoredFile>
  readonly keys: Table<string, ApiKeyRecord>
  readonly audit: Table<string, AuditRecord>
  /** By account, key and request. */
  readonly answers: Table<string, KeptAnswer>
  readonly clients: Table<number, Client & Owned>
  readonly poseurs: Table<number, Poseur & Owned>
  readonly cases: Table<number, CaseRow>
  readonly history: Table<number, ChainedHistoryEntry & { readonly id: number; readonly case_id: number }>
  /** By account and SHA-256. */
  readonly files: Table<string, StoredFile>
  /** By account, case and SHA-256: which case holds which file. */
  readonly caseFiles: Table<string, Owned & { readonly case_id: number; readonly sha256: string }>
  /** By account and sequence. */
  readonly evidence: Table<string, EvidenceEntry>
  /** By account: the sequence of the newest entry. */
  readonly heads: Table<string, number>
  /** By account and SHA-256. */
  readonly snapshots: Table<string, string>
  /** By account and sequence. */
  readonly stamps: Table<string, EvidenceStamp>
  /** By account and sequence. */
  readonly reports: Table<string, ReportRecord>
  readonly endpoints: Table<string, EndpointRecord>
  readonly events: Table<string, Omit<OutboxEntry, 'deliveries'>>
  readonly deliveries: Table<string, DeliveryRow>
  /** By delivery. */
  readonly attempts: Table<string, readonly AttemptRecord[]>
  readonly replays: Table<string, ReplayJob>
  /** The last number given: of ids, and of references by account and year. */
  readonly numbers: Table<string, number>

  /** Whether a delivery waits that did not before: who commits tells whoever waits for some. */
  leavesDue = false

  readonly #base: Tables | undefined
  readonly #own = new Map<string, { commit(): void }>()

  constructor(base?: Tables) {
    this.#base = base
    this.accounts = new Table(base?.accounts)
    this.logos = new Table(base?.logos)
    this.keys = new Table(base?.keys)
    this.audit = new Table(base?.audit)
    this.answers = new Table(base?.answers)
    this.clients = new Table(base?.clients)
    this.poseurs = new Table(base?.poseurs)
    this.cases = new Table(base?.cases)
    this.history = new Table(base?.history)
    this.files = new Table(base?.files)
    this.caseFiles = new Table(base?.caseFiles)
    this.evidence = new Table(base?.evidence)
    this.heads = new Table(base?.heads)
    this.snapshots = new Table(base?.snapshots)
    this.stamps = new Table(base?.stamps)
    this.reports = new Table(base?.reports)
    this.endpoints = new Table(base?.endpoints)
    this.events = new Table(base?.events)
    this.deliveries = new Table(base?.deliveries)
    this.attempts = new Table(base?.attempts)
    this.replays = new Table(base?.replays)
    this.numbers = new Table(base?.numbers)
  }

  /** A table that one repository alone knows, by its name: it stands here without being listed. */
  own<Key, Row>(name: string): Table<Key, Row> {
    const table = this.#own.get(name) ?? new Table<Key, Row>(this.#base?.own(name))
    this.#own.set(name, table)
    // Whoever names it is the one repository that knows what it holds.
    return table as Table<Key, Row>
  }

  nextNumber(name: string): number {
    const number = (this.numbers.get(name) ?? 0) + 1
    this.numbers.put(name, number)
    return number
  }

  /** All at once: nothing can come between two tables. */
  commit(): void {
    for (const table of Object.values(this)) if (table instanceof Table) table.commit()
    for (const table of this.#own.values()) table.commit()
  }
}
