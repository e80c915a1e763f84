import type { StoredBucket } from '@sav/core/internal'
import type { BucketWrites } from '@sav/core/ports'
import { sql } from 'kysely'
import { rowsStatement } from '../statements/rows-statement.js'
import type { Session } from '../statements/session.js'
import { type Named, statement, table } from '../statements/statement.js'

/** Makes what is missing and locks what is there, in one step: nobody can come between. */
const claimBuckets = rowsStatement(
  { name: 'text', full_at: 'integer' },
  (rows) => sql<StoredBucket>`insert into ${table('buckets')} (name, full_at) ${rows}
    on conflict (name) do update set full_at = buckets.full_at returning name, full_at`,
)
const saveBuckets = rowsStatement(
  { name: 'text', full_at: 'integer' },
  (rows) => sql<never>`insert into ${table('buckets')} (name, full_at) ${rows}
    on conflict (name) do update set full_at = excluded.full_at`,
)
const forgetBuckets = statement(
  (_, p: Named<{ before: number }>) => sql<never>`delete from ${table('buckets')} where full_at < ${p('before')}`,
)

export class Buckets implements BucketWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  claim(names: readonly string[]): Promise<StoredBucket[]> {
    return this.#session.each(
      claimBuckets,
      names.map((name) => ({ name, full_at: 0 })),
    )
  }

  async save(buckets: readonly StoredBucket[]): Promise<void> {
    await this.#session.sendEach(saveBuckets, buckets)
  }

  async forget(fullBefore: number): Promise<void> {
    await this.#session.run(forgetBuckets, { before: fullBefore })
  }
}
