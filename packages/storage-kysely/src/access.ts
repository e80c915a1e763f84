import type { Account, AccountFields, AccountWrites, ApiKeyRecord, Changes, KeyWrites } from '@sav/core/ports'
import { sql } from 'kysely'
import { changed, fromApiKey, toApiKey } from './rows.js'
import type { Session } from './session.js'
import { insertion, type Named, replacement, statement } from './statement.js'

const accountFields = ['raison_sociale', 'adresse', 'siret', 'email', 'signature_requise_depuis'] as const
const accountColumns = ['id', ...accountFields, 'created_at'] as const

const findAccount = statement((db, p: Named<{ id: string }>) =>
  db.selectFrom('accounts').select(accountColumns).where('id', '=', p('id')),
)
const listAccounts = statement((db) => db.selectFrom('accounts').select(accountColumns).orderBy('id'))
const addAccount = insertion('accounts', accountColumns, sql`on conflict (id) do nothing`)
const updateAccount = replacement('accounts', ['id'], accountFields)

export class Accounts implements AccountWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  find(account_id: string): Promise<Account | null> {
    return this.#session.first(findAccount, { id: account_id })
  }

  list(): Promise<Account[]> {
    return this.#session.all(listAccounts, {})
  }

  async add(account: Account): Promise<boolean> {
    return (await this.#session.run(addAccount, { ...account })) === 1
  }

  async update(account_id: string, fields: Changes<AccountFields>): Promise<void> {
    const found = await this.find(account_id)
    if (found !== null) await this.#session.run(updateAccount, changed(found, fields))
  }
}

// By the unique index api_keys_hash.
const findKeyByHash = statement((db, p: Named<{ hash: string }>) =>
  db.selectFrom('api_keys').selectAll().where('hash', '=', p('hash')),
)
const findKey = statement((db, p: Named<{ account_id: string; id: string }>) =>
  db.selectFrom('api_keys').selectAll().where('account_id', '=', p('account_id')).where('id', '=', p('id')),
)
const listKeys = statement((db, p: Named<{ account_id: string }>) =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
)
const addKey = insertion('api_keys', [
  'account_id',
  'id',
  'nom',
  'hash',
  'permissions',
  'ips',
  'created_at',
  'expires_at',
  'revoked_at',
])
const updateKey = replacement('api_keys', ['account_id', 'id'], ['revoked_at', 'expires_at'])

export class Keys implements KeyWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async findByHash(hash: string): Promise<ApiKeyRecord | null> {
    const row = await this.#session.first(findKeyByHash, { hash })
    return row && toApiKey(row)
  }

  async find(account_id: string, id: string): Promise<ApiKeyRecord | null> {
    const row = await this.#session.first(findKey, { account_id, id })
    return row && toApiKey(row)
  }

  async list(account_id: string): Promise<ApiKeyRecord[]> {
    return (await this.#session.all(listKeys, { account_id })).map(toApiKey)
  }

  async add(key: ApiKeyRecord): Promise<void> {
    await this.#session.run(addKey, fromApiKey(key))
  }

  async update(
    account_id: string,
    id: string,
    { revoked_at, expires_at }: Pick<ApiKeyRecord, 'revoked_at' | 'expires_at'>,
  ): Promise<void> {
    await this.#session.run(updateKey, { account_id, id, revoked_at, expires_at })
  }
}
