import type { Schema } from './schema.js'

/** How a table is walked when a store is copied. */
export interface CopiedTable {
  /** Its primary key, in the order in which its rows are read. */
  readonly key: readonly string[]
  /** Rows in one batch: a transaction of some megabytes at most. */
  readonly maxRows: number
  /** Numbered by the database: the next number follows the highest one. */
  readonly numbered?: true
}

const maxSmallRows = 200
/** Rows with up to 5 MiB each. */
const maxFiles = 1

/**
 * Every table of a store, each after those that it refers to; null: of no use in another store. `facts` comes last: what
 * makes a store of the target is copied when everything else is verified.
 */
export const tables: Readonly<Record<keyof Schema, CopiedTable | null>> = {
  accounts: { key: ['id'], maxRows: maxSmallRows },
  account_logos: { key: ['account_id', 'sha256'], maxRows: maxFiles },
  api_keys: { key: ['account_id', 'id'], maxRows: maxSmallRows },
  clients: { key: ['id'], maxRows: maxSmallRows, numbered: true },
  poseurs: { key: ['id'], maxRows: maxSmallRows, numbered: true },
  users: { key: ['account_id', 'id'], maxRows: maxSmallRows },
  passkeys: { key: ['account_id', 'id'], maxRows: maxSmallRows },
  // What was ended must not come back with a copy of the store.
  sessions: null,
  sign_in_attempts: null,
  reference_counters: { key: ['account_id', 'annee'], maxRows: maxSmallRows },
  cases: { key: ['id'], maxRows: maxSmallRows, numbered: true },
  case_tallies: { key: ['account_id', 'jour', 'statut'], maxRows: maxSmallRows },
  case_history: { key: ['id'], maxRows: maxSmallRows, numbered: true },
  rdv: { key: ['id'], maxRows: maxSmallRows, numbered: true },
  rdv_personnes: { key: ['account_id', 'rdv_id', 'poseur_id'], maxRows: maxSmallRows },
  interventions: { key: ['id'], maxRows: maxSmallRows, numbered: true },
  agendas: { key: ['account_id', 'poseur_id'], maxRows: maxSmallRows },
  rdv_pages: { key: ['hash'], maxRows: maxSmallRows },
  calendriers: { key: ['account_id', 'cible', 'proprietaire_id'], maxRows: maxSmallRows },
  files: { key: ['account_id', 'sha256'], maxRows: maxFiles },
  case_files: { key: ['account_id', 'case_id', 'sha256'], maxRows: maxSmallRows },
  file_removals: { key: ['account_id', 'sha256'], maxRows: maxSmallRows },
  evidence_entries: { key: ['account_id', 'sequence'], maxRows: maxSmallRows },
  evidence_snapshots: { key: ['account_id', 'hash_dossier'], maxRows: 100 },
  evidence_stamps: { key: ['account_id', 'sequence'], maxRows: 100 },
  reports: { key: ['account_id', 'sequence'], maxRows: maxSmallRows },
  webhook_endpoints: { key: ['account_id', 'id'], maxRows: maxSmallRows },
  endpoint_events: { key: ['account_id', 'event', 'endpoint_id'], maxRows: maxSmallRows },
  subscriptions: { key: ['event', 'target'], maxRows: maxSmallRows },
  events: { key: ['account_id', 'id'], maxRows: maxSmallRows },
  deliveries: { key: ['account_id', 'id'], maxRows: maxSmallRows },
  delivery_queue: { key: ['account_id', 'created_at', 'id'], maxRows: maxSmallRows },
  failed_deliveries: { key: ['account_id', 'created_at', 'id'], maxRows: maxSmallRows },
  attempts: { key: ['account_id', 'delivery_id', 'n'], maxRows: 100 },
  replay_jobs: { key: ['account_id', 'id'], maxRows: maxSmallRows },
  audit: { key: ['account_id', 'time', 'id'], maxRows: maxSmallRows },
  answers: { key: ['account_id', 'key_id', 'request'], maxRows: 20 },
  processes: null,
  buckets: null,
  commit_marks: null,
  facts: { key: ['name'], maxRows: maxSmallRows },
}
