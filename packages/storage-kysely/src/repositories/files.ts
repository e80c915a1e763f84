import type { FileRemoval, FileRemovalWrites, FileWrites, StoredFile } from '@sav/core/ports'
import { sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import {
  deletion,
  ignoringDeferred,
  insertion,
  lookUpBy,
  type QueryParams,
  selection,
  statement,
  table,
} from '../statements/statement.js'

const findFile = statement((db, p: QueryParams<{ account_id: string; case_id: number; sha256: string }>) =>
  db
    .selectFrom('case_files')
    .innerJoin('files', (join) =>
      join.onRef('files.account_id', '=', 'case_files.account_id').onRef('files.sha256', '=', 'case_files.sha256'),
    )
    .select(['files.sha256', 'media_type', 'content'])
    .where('case_files.account_id', '=', p('account_id'))
    .where('case_id', '=', p('case_id'))
    .where('case_files.sha256', '=', p('sha256')),
)
const addFile = ignoringDeferred(
  insertion(
    'files',
    ['account_id', 'sha256', 'media_type', 'content', 'taille'],
    sql`on conflict (account_id, sha256) do nothing`,
  ),
)
const addCaseFile = ignoringDeferred(
  insertion(
    'case_files',
    ['account_id', 'case_id', 'sha256'],
    sql`on conflict (account_id, case_id, sha256) do nothing`,
  ),
)

// Reads by the primary key. The length of a content is known without reading the content.
const sumSizes = statement(
  (_, p: QueryParams<{ account_id: string }>) => sql<{ octets: number }>`
    select cast(coalesce(sum(files.taille), 0) as bigint) as octets
    from ${table('files')} where files.account_id = ${p('account_id')}`,
)
// Reads in the order of the primary key.
const listOfCase = statement((db, p: QueryParams<{ account_id: string; case_id: number }>) =>
  db
    .selectFrom('case_files')
    .innerJoin('files', (join) =>
      join.onRef('files.account_id', '=', 'case_files.account_id').onRef('files.sha256', '=', 'case_files.sha256'),
    )
    .select(['files.sha256', 'media_type'])
    .where('case_files.account_id', '=', p('account_id'))
    .where('case_id', '=', p('case_id'))
    .orderBy('case_files.sha256'),
)
const findHeld = selection('files', ['account_id', 'sha256'], { columns: ['sha256'] })
// Uses the index case_files_file.
const findLatestHolder = statement((db, p: QueryParams<{ account_id: string; sha256: string }>) =>
  db
    .selectFrom('case_files')
    .select((eb) => eb.fn.max('case_id').as('case_id'))
    .where('account_id', '=', p('account_id'))
    .where('sha256', '=', p('sha256')),
)
// Files are released together: only those that no other case holds are deleted.
const releaseFiles = deletion('case_files', ['account_id', 'case_id'])
const listHeld = selection('case_files', ['account_id', 'case_id'], { columns: ['sha256'] })
// Uses the index case_files_file.
const deleteUnheld = statement((db, p: QueryParams<{ account_id: string; sha256: string }>) =>
  db
    .deleteFrom('files')
    .where('account_id', '=', p('account_id'))
    .where('sha256', '=', p('sha256'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('case_files')
            .select('case_id')
            .where('case_files.account_id', '=', p('account_id'))
            .where('case_files.sha256', '=', p('sha256')),
        ),
      ),
    ),
)

export class Files extends Repository implements FileWrites {
  find(account_id: string, case_id: number, sha256: string): Promise<StoredFile | null> {
    return this.db.first(findFile, { account_id, case_id, sha256 })
  }

  async put(
    account_id: string,
    case_id: number,
    { sha256, media_type, content }: StoredFile,
    taille = content.length,
  ): Promise<void> {
    await this.db.send(addFile, { account_id, sha256, media_type, content, taille })
    await this.db.send(addCaseFile, { account_id, case_id, sha256 })
  }

  ofCase(account_id: string, case_id: number): Promise<Awaited<ReturnType<FileWrites['ofCase']>>[number][]> {
    return this.db.all(listOfCase, { account_id, case_id })
  }

  async stored(account_id: string): Promise<number> {
    return (await this.db.one(sumSizes, { account_id })).octets
  }

  async isHeld(account_id: string, sha256: string): Promise<boolean> {
    return (await this.db.first(findHeld, { account_id, sha256 })) !== null
  }

  async latestHolder(account_id: string, sha256: string): Promise<number | null> {
    return (await this.db.one(findLatestHolder, { account_id, sha256 })).case_id
  }

  async release(account_id: string, case_id: number): Promise<string[]> {
    const held = await this.db.all(listHeld, { account_id, case_id })
    await this.db.run(releaseFiles, { account_id, case_id })
    const deleted: string[] = []
    for (const { sha256 } of held)
      if ((await this.db.run(deleteUnheld, { account_id, sha256 })) === 1) deleted.push(sha256)
    return deleted
  }
}

type OneContent = { readonly account_id: string; readonly sha256: string }

const findRemoval = lookUpBy('file_removals', ['account_id', 'sha256'])
// Uses the index file_removals_due.
const listDue = statement((db, p: QueryParams<{ now: string; limit: number }>) =>
  db.selectFrom('file_removals').selectAll().where('remove_at', '<=', p('now')).orderBy('remove_at').limit(p('limit')),
)
const saveRemoval = insertion(
  'file_removals',
  ['account_id', 'sha256', 'remove_at', 'begun_at'],
  sql<never>`on conflict (account_id, sha256) do update
    set remove_at = excluded.remove_at, begun_at = excluded.begun_at`,
)
const cancelRemoval = statement((db, p: QueryParams<OneContent>) =>
  db
    .deleteFrom('file_removals')
    .where('account_id', '=', p('account_id'))
    .where('sha256', '=', p('sha256'))
    .where('begun_at', 'is', null),
)
const deleteRemoval = deletion('file_removals', ['account_id', 'sha256'])

export class FileRemovals extends Repository implements FileRemovalWrites {
  find(account_id: string, sha256: string): Promise<FileRemoval | null> {
    return this.db.find(findRemoval, { account_id, sha256 })
  }

  due(now: string, limit: number): Promise<FileRemoval[]> {
    return this.db.all(listDue, { now, limit })
  }

  async save(removal: FileRemoval): Promise<void> {
    await this.db.run(saveRemoval, { ...removal })
  }

  async cancel(account_id: string, sha256: string): Promise<boolean> {
    return (await this.db.run(cancelRemoval, { account_id, sha256 })) === 1
  }

  async forget(account_id: string, sha256: string): Promise<void> {
    await this.db.run(deleteRemoval, { account_id, sha256 })
  }
}
