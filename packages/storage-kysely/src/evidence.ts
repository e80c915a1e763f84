import type { EvidenceEntry, EvidenceWrites } from '@sav/core/ports'
import { sql } from 'kysely'
import { toEvidenceEntry } from './rows.js'
import type { Session } from './session.js'
import { insertion, type Named, statement } from './statement.js'

const findEntry = statement((db, p: Named<{ account_id: string; sequence: number }>) =>
  db
    .selectFrom('evidence_entries')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .where('sequence', '=', p('sequence')),
)
// In the order of the index evidence_entries_case.
const entriesOfCase = statement((db, p: Named<{ account_id: string; case_id: number }>) =>
  db
    .selectFrom('evidence_entries')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .where('case_id', '=', p('case_id'))
    .orderBy('sequence'),
)
// In the order of the primary key.
const walkEntries = statement((db, p: Named<{ account_id: string; after: number; limit: number }>) =>
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
const findSnapshot = statement((db, p: Named<{ account_id: string; hash_dossier: string }>) =>
  db
    .selectFrom('evidence_snapshots')
    .select('snapshot')
    .where('account_id', '=', p('account_id'))
    .where('hash_dossier', '=', p('hash_dossier')),
)
const lockHead = statement((db, p: Named<{ account_id: string }>, { locksRows }) =>
  db
    .selectFrom('evidence_entries')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .orderBy('sequence', 'desc')
    .limit(1)
    .$if(locksRows, (head) => head.forUpdate()),
)
const addEntry = insertion('evidence_entries', [
  'account_id',
  'sequence',
  'version',
  'case_id',
  'reference',
  'date',
  'hash_dossier',
  'hash_precedent',
  'hash_entree',
])
const addSnapshot = insertion(
  'evidence_snapshots',
  ['account_id', 'hash_dossier', 'snapshot'],
  sql`on conflict (account_id, hash_dossier) do nothing`,
)

export class Evidence implements EvidenceWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async find(account_id: string, sequence: number): Promise<EvidenceEntry | null> {
    const row = await this.#session.first(findEntry, { account_id, sequence })
    return row && toEvidenceEntry(row)
  }

  async ofCase(account_id: string, case_id: number): Promise<EvidenceEntry[]> {
    return (await this.#session.all(entriesOfCase, { account_id, case_id })).map(toEvidenceEntry)
  }

  async walk(
    account_id: string,
    { afterSequence, limit }: { readonly afterSequence: number; readonly limit: number },
  ): Promise<{ entry: EvidenceEntry; snapshot: string | null }[]> {
    const rows = await this.#session.all(walkEntries, { account_id, after: afterSequence, limit })
    return rows.map(({ snapshot, ...entry }) => ({ entry: toEvidenceEntry(entry), snapshot }))
  }

  async snapshot(account_id: string, hash_dossier: string): Promise<string | null> {
    const row = await this.#session.first(findSnapshot, { account_id, hash_dossier })
    return row?.snapshot ?? null
  }

  // A locked head is enough: whoever waits for it to append as well is refused by the primary key, and runs again.
  async lockHead(account_id: string): Promise<EvidenceEntry | null> {
    const row = await this.#session.first(lockHead, { account_id })
    return row && toEvidenceEntry(row)
  }

  async append({ account, ...entry }: EvidenceEntry, snapshot: string): Promise<void> {
    const { hash_dossier } = entry
    await this.#session.run(addSnapshot, { account_id: account, hash_dossier, snapshot })
    await this.#session.run(addEntry, { account_id: account, ...entry })
  }
}
