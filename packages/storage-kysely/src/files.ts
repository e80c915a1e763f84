import type { FileWrites, StoredFile } from '@sav/core/ports'
import { sql } from 'kysely'
import type { Session } from './session.js'
import { insertion, type Named, statement } from './statement.js'

const findFile = statement((db, p: Named<{ account_id: string; case_id: number; sha256: string }>) =>
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
const addFile = insertion(
  'files',
  ['account_id', 'sha256', 'media_type', 'content'],
  sql`on conflict (account_id, sha256) do nothing`,
)
const addCaseFile = insertion(
  'case_files',
  ['account_id', 'case_id', 'sha256'],
  sql`on conflict (account_id, case_id, sha256) do nothing`,
)

export class Files implements FileWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  find(account_id: string, case_id: number, sha256: string): Promise<StoredFile | null> {
    return this.#session.first(findFile, { account_id, case_id, sha256 })
  }

  async put(account_id: string, case_id: number, { sha256, media_type, content }: StoredFile): Promise<void> {
    await this.#session.run(addFile, { account_id, sha256, media_type, content })
    await this.#session.run(addCaseFile, { account_id, case_id, sha256 })
  }
}
