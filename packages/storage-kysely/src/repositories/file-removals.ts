import type { FileRemoval, FileRemovalWrites } from '@sav/core/ports'
import { sql } from 'kysely'
import type { Session } from '../statements/session.js'
import { insertion, lookUp, type Named, statement } from '../statements/statement.js'

type OneContent = { readonly account_id: string; readonly sha256: string }

const findRemoval = lookUp((db, p: Named<OneContent>) =>
  db
    .selectFrom('file_removals')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .where('sha256', '=', p('sha256')),
)
// By the index file_removals_due.
const listDue = statement((db, p: Named<{ now: string; limit: number }>) =>
  db.selectFrom('file_removals').selectAll().where('remove_at', '<=', p('now')).orderBy('remove_at').limit(p('limit')),
)
const saveRemoval = insertion(
  'file_removals',
  ['account_id', 'sha256', 'remove_at', 'begun_at'],
  sql<never>`on conflict (account_id, sha256) do update
    set remove_at = excluded.remove_at, begun_at = excluded.begun_at`,
)
const cancelRemoval = statement((db, p: Named<OneContent>) =>
  db
    .deleteFrom('file_removals')
    .where('account_id', '=', p('account_id'))
    .where('sha256', '=', p('sha256'))
    .where('begun_at', 'is', null),
)
const deleteRemoval = statement((db, p: Named<OneContent>) =>
  db.deleteFrom('file_removals').where('account_id', '=', p('account_id')).where('sha256', '=', p('sha256')),
)

export class FileRemovals implements FileRemovalWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  find(account_id: string, sha256: string): Promise<FileRemoval | null> {
    return this.#session.find(findRemoval, { account_id, sha256 })
  }

  due(now: string, limit: number): Promise<FileRemoval[]> {
    return this.#session.all(listDue, { now, limit })
  }

  async save(removal: FileRemoval): Promise<void> {
    await this.#session.run(saveRemoval, { ...removal })
  }

  async cancel(account_id: string, sha256: string): Promise<boolean> {
    return (await this.#session.run(cancelRemoval, { account_id, sha256 })) === 1
  }

  async forget(account_id: string, sha256: string): Promise<void> {
    await this.#session.run(deleteRemoval, { account_id, sha256 })
  }
}
