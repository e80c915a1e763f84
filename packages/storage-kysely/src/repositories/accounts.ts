import type { Account, AccountWrites, StoredFile } from '@sav/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import {
  insertion,
  lookUpBy,
  type QueryParams,
  replacement,
  selection,
  statement,
  table,
} from '../statements/statement.js'
import { changed } from '../tables/rows.js'
import { tables } from '../tables/tables.js'

const accountFields = tables.accounts.without('id', 'created_at')

/** Whether the account `account_id` is enabled: by the index accounts_disabled, which is small. */
export const isEnabled = (account_id: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`${account_id} not in (
  select accounts.id from ${table('accounts')} where accounts.desactive_le is not null
)`

const findAccount = lookUpBy('accounts', ['id'], { columns: tables.accounts.names })
/** Locks what is unique in an account, such as the head of its chain, even before it has a row. */
export const lockAccount = statement((db, p: QueryParams<{ account_id: string }>) =>
  db.selectFrom('accounts').select('id').where('id', '=', p('account_id')).forNoKeyUpdate(),
)
const listAccounts = statement((db) => db.selectFrom('accounts').select(tables.accounts.names).orderBy('id'))
const addAccount = insertion('accounts', tables.accounts.names, sql`on conflict (id) do nothing`)
const updateAccount = replacement('accounts', ['id'], accountFields)
const findLogo = selection('account_logos', ['account_id', 'sha256'], { columns: ['sha256', 'media_type', 'content'] })
const putLogo = insertion('account_logos', tables.account_logos.names, sql`on conflict (account_id, sha256) do nothing`)

export class Accounts extends Repository implements AccountWrites {
  async find(account_id: string): Promise<Account | null> {
    const row = await this.db.find(findAccount, { id: account_id })
    return row && tables.accounts.read(row)
  }

  async list(): Promise<Account[]> {
    return (await this.db.all(listAccounts, {})).map((row) => tables.accounts.read(row))
  }

  async add(account: Parameters<AccountWrites['add']>[0]): Promise<boolean> {
    const unlimited = { desactive_le: null, dossiers_par_mois: null, stockage_octets: null }
    return (await this.db.run(addAccount, tables.accounts.written({ ...unlimited, ...account }))) === 1
  }

  async update(account_id: string, fields: Parameters<AccountWrites['update']>[1]): Promise<void> {
    const found = await this.find(account_id)
    if (found === null) return
    await this.db.run(updateAccount, tables.accounts.written(changed(found, fields)))
  }

  findLogo(account_id: string, sha256: string): Promise<StoredFile | null> {
    return this.db.first(findLogo, { account_id, sha256 })
  }

  async putLogo(account_id: string, { sha256, media_type, content }: StoredFile): Promise<void> {
    await this.db.run(putLogo, { account_id, sha256, media_type, content })
  }
}
