import type { EvidenceEntry } from '@sav/core'
import { importReference } from '@sav/core/adapter'
import type { EvidenceStamp, EvidenceWrites } from '@sav/core/ports'
import { type Selectable, sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import { insertion, type QueryParams, replacement, selection, statement } from '../statements/statement.js'
import { type Schema, tables } from '../tables/tables.js'
import { lockAccount } from './accounts.js'

const findEntry = selection('evidence_entries', ['account_id', 'sequence'])
// Reads in the order of the index evidence_entries_case.
const entriesOfCase = selection('evidence_entries', ['account_id', 'case_id'], { order: ['sequence'] })
// Reads in the order of the primary key.
const walkEntries = statement((db, p: QueryParams<{ account_id: string; after: number; limit: number }>) =>
  db
    .selectFrom('evidence_entries as entry')
    .leftJoin('evidence_snapshots as kept', (join) =>
      join.onRef('kept.account_id', '=', 'entry.account_id').onRef('kept.hash_dossier', '=', 'entry.hash_dossier'),
    )
    .selectAll('entry')
    .select('kept.snapshot')
    .where('entry.account_id', '=', p('account_id'))
    .where('sequence', '>', p('after'))
    .orderBy('sequence')
    .limit(p('limit')),
)
const findSnapshot = selection('evidence_snapshots', ['account_id', 'hash_dossier'], { columns: ['snapshot'] })
const findHead = selection('evidence_entries', ['account_id'], { order: ['sequence desc'], limit: 1 })
const addEntry = insertion('evidence_entries', tables.evidence_entries.names)
const addSnapshot = insertion(
  'evidence_snapshots',
  tables.evidence_snapshots.names,
  sql`on conflict (account_id, hash_dossier) do nothing`,
)

// Uses the index evidence_entries_hash.
const findByHash = statement((db, p: QueryParams<{ from: string; until: string }>) =>
  db
    .selectFrom('evidence_entries')
    .selectAll()
    .where('hash_dossier', '>=', p('from'))
    .where('hash_dossier', '<', p('until'))
    .where('reference', '<>', sql.lit(importReference))
    .orderBy('hash_dossier')
    .limit(1),
)
const eraseSnapshot = replacement('evidence_snapshots', ['account_id', 'hash_dossier'], ['snapshot'])
const findLatestStamp = selection('evidence_stamps', ['account_id'], { order: ['sequence desc'], limit: 1 })
const findStampOf = statement((db, p: QueryParams<{ account_id: string; sequence: number }>) =>
  db
    .selectFrom('evidence_stamps')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .where('sequence', '>=', p('sequence'))
    .orderBy('sequence')
    .limit(1),
)
const walkStamps = statement((db, p: QueryParams<{ account_id: string; after: number; limit: number }>) =>
  db
    .selectFrom('evidence_stamps')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .where('sequence', '>', p('after'))
    .orderBy('sequence')
    .limit(p('limit')),
)
const addStamp = insertion(
  'evidence_stamps',
  tables.evidence_stamps.names,
  sql`on conflict (account_id, sequence) do nothing`,
)

function toEvidenceEntry({ account_id, ...row }: Selectable<Schema['evidence_entries']>): EvidenceEntry {
  return { ...row, account: account_id }
}

export class Evidence extends Repository implements EvidenceWrites {
  async find(account_id: string, sequence: number): Promise<EvidenceEntry | null> {
    const row = await this.db.first(findEntry, { account_id, sequence })
    return row && toEvidenceEntry(row)
  }

  async ofCase(account_id: string, case_id: number): Promise<EvidenceEntry[]> {
    const entries = await this.db.all(entriesOfCase, { account_id, case_id })
    return entries.map(toEvidenceEntry).filter(({ reference }) => reference !== importReference)
  }

  async walk(
    account_id: string,
    { afterSequence, limit }: { readonly afterSequence: number; readonly limit: number },
  ): Promise<{ entry: EvidenceEntry; snapshot: string | null }[]> {
    const rows = await this.db.all(walkEntries, { account_id, after: afterSequence, limit })
    return rows.map(({ snapshot, ...entry }) => ({ entry: toEvidenceEntry(entry), snapshot }))
  }

  async snapshot(account_id: string, hash_dossier: string): Promise<string | null> {
    const row = await this.db.first(findSnapshot, { account_id, hash_dossier })
    return row?.snapshot ?? null
  }

  // Locks the account's own row: there may be no head yet, and a transaction that waited for a lock on the head would
  // read an old one.
  async lockHead(account_id: string): Promise<EvidenceEntry | null> {
    const locked = this.db.lock(lockAccount, { account_id })
    const [row] = await Promise.all([this.db.first(findHead, { account_id }), locked])
    return row && toEvidenceEntry(row)
  }

  async append({ account, ...entry }: EvidenceEntry, snapshot: string): Promise<void> {
    const { hash_dossier } = entry
    await this.db.send(addSnapshot, { account_id: account, hash_dossier, snapshot })
    await this.db.send(addEntry, { account_id: account, ...entry })
  }

  async head(account_id: string): Promise<EvidenceEntry | null> {
    const row = await this.db.first(findHead, { account_id })
    return row && toEvidenceEntry(row)
  }

  async findByHash(beginning: string): Promise<EvidenceEntry | null> {
    // No hexadecimal digit sorts after this letter.
    const row = await this.db.first(findByHash, { from: beginning, until: `${beginning}g` })
    return row && toEvidenceEntry(row)
  }

  async eraseSnapshot(account_id: string, hash_dossier: string, marker: string): Promise<void> {
    await this.db.run(eraseSnapshot, { account_id, hash_dossier, snapshot: marker })
  }

  latestStamp(account_id: string): Promise<EvidenceStamp | null> {
    return this.db.first(findLatestStamp, { account_id })
  }

  stamps(
    account_id: string,
    { afterSequence, limit }: { readonly afterSequence: number; readonly limit: number },
  ): Promise<EvidenceStamp[]> {
    return this.db.all(walkStamps, { account_id, after: afterSequence, limit })
  }

  stampOf(account_id: string, sequence: number): Promise<EvidenceStamp | null> {
    return this.db.first(findStampOf, { account_id, sequence })
  }

  async addStamp(stamp: EvidenceStamp): Promise<void> {
    await this.db.run(addStamp, { ...stamp })
  }
}
