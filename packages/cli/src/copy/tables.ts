import type { Schema } from '@sav/storage-kysely/sqlite'

/** How a table is walked. */
export interface CopiedTable {
  /** Its primary key, in the order in which its rows are read. */
  readonly key: readonly string[]
  /** Rows a batch: a transaction of some megabytes at most. */
  readonly batch: number
  /** Numbered by the database: the next number follows the highest one. */
  readonly numbered?: true
}

const small = 500
/** Rows with up to 5 MiB each. */
const files = 4

/**
 * Every table of the schema, each after those that it refers to; null: of no use elsewhere. `facts` comes last: what
 * makes a store of the target is copied when everything else is verified.
 */
export const copiedTables: Readonly<Record<keyof Schema, CopiedTable | null>> = {
  accounts: { key: ['id'], batch: small },
  account_logos: { key: ['account_id', 'sha256'], batch: files },
  api_keys: { key: ['account_id', 'id'], batch: small },
  clients: { key: ['id'], batch: small, numbered: true },
  poseurs: { key: ['id'], batch: small, numbered: true },
  reference_counters: { key: ['account_id', 'annee'], batch: small },
  cases: { key: ['id'], batch: small, numbered: true },
  case_tallies: { key: ['account_id', 'jour', 'statut'], batch: small },
  case_history: { key: ['id'], batch: small, numbered: true },
  files: { key: ['account_id', 'sha256'], batch: files },
  case_files: { key: ['account_id', 'case_id', 'sha256'], batch: small },
  evidence_entries: { key: ['account_id', 'sequence'], batch: small },
  evidence_snapshots: { key: ['account_id', 'hash_dossier'], batch: 100 },
  evidence_stamps: { key: ['account_id', 'sequence'], batch: 100 },
  reports: { key: ['account_id', 'sequence'], batch: small },
  webhook_endpoints: { key: ['account_id', 'id'], batch: small },
  endpoint_events: { key: ['account_id', 'event', 'endpoint_id'], batch: small },
  events: { key: ['account_id', 'id'], batch: small },
  deliveries: { key: ['account_id', 'id'], batch: small },
  attempts: { key: ['account_id', 'delivery_id', 'n'], batch: 100 },
  replay_jobs: { key: ['account_id', 'id'], batch: small },
  audit: { key: ['account_id', 'time', 'id'], batch: small },
  answers: { key: ['account_id', 'key_id', 'request'], batch: 20 },
  processes: null,
  commit_marks: null,
  facts: { key: ['name'], batch: small },
}
