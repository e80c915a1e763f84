import type { ApiKeyRecord, KeyWrites } from '@sav/core/ports'
import { sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import { insertion, lookUpBy, type QueryParams, replacement, selection, statement } from '../statements/statement.js'
import { tables } from '../tables/tables.js'
import { isEnabled } from './accounts.js'

// Uses the unique index api_keys_hash.
const findKeyByHash = statement((db, p: QueryParams<{ hash: string }>) =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where('hash', '=', p('hash'))
    .where(isEnabled(sql.ref('api_keys.account_id'))),
)
const findKey = lookUpBy('api_keys', ['account_id', 'id'])
const listKeys = selection('api_keys', ['account_id'], { order: ['created_at desc', 'id desc'] })
const addKey = insertion('api_keys', tables.api_keys.names)
const updateKey = replacement('api_keys', ['account_id', 'id'], ['revoked_at', 'expires_at', 'successor_id'])
const noteUse = statement((db, p: QueryParams<{ account_id: string; id: string; at: string }>) =>
  db
    .updateTable('api_keys')
    .set({ last_used_at: p('at') })
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id'))
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', p('at'))])),
)

export class Keys extends Repository implements KeyWrites {
  async findByHash(hash: string): Promise<ApiKeyRecord | null> {
    const row = await this.db.first(findKeyByHash, { hash })
    return row && tables.api_keys.read(row)
  }

  async find(account_id: string, id: string): Promise<ApiKeyRecord | null> {
    const row = await this.db.find(findKey, { account_id, id })
    return row && tables.api_keys.read(row)
  }

  async list(account_id: string): Promise<ApiKeyRecord[]> {
    return (await this.db.all(listKeys, { account_id })).map((row) => tables.api_keys.read(row))
  }

  async add(key: ApiKeyRecord): Promise<void> {
    await this.db.run(addKey, tables.api_keys.written(key))
  }

  async update(account_id: string, id: string, fields: Parameters<KeyWrites['update']>[2]): Promise<void> {
    const { revoked_at, expires_at, successor_id } = fields
    await this.db.run(updateKey, { account_id, id, revoked_at, expires_at, successor_id })
  }

  async noteUse(
    uses: readonly { readonly account_id: string; readonly id: string; readonly at: string }[],
  ): Promise<void> {
    // Rows are updated in the same order everywhere, so that no two transactions wait for each other.
    for (const use of uses.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await this.db.run(noteUse, use)
  }
}
