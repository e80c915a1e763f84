import type {
  Account,
  AccountFields,
  AccountWrites,
  ApiKeyRecord,
  Changes,
  KeyWrites,
  StoredFile,
} from '@sav/core/ports'
import { sql } from 'kysely'
import { changed, fromApiKey, toApiKey } from './rows.js'
import type { Session } from './session.js'
import { insertion, lookUp, type Named, replacement, statement } from './statement.js'

const accountFields = [
  'raison_sociale',
  'adresse',
  'siret',
  'email',
  'assureur',
  'mediateur',
  'logo',
  'signature_requise_depuis',
] as const
const accountColumns = ['id', ...accountFields, 'created_at'] as const

const findAccount = lookUp((db, p: Named<{ id: string }>) =>
  db.selectFrom('accounts').select(accountColumns).where('id', '=', p('id')),
)
/** For what an account has to itself, such as the end of its chain, whether there is a row for it or not. */
export const lockAccount = statement((db, p: Named<{ account_id: string }>) =>
  db.selectFrom('accounts').select('id').where('id', '=', p('account_id')).forNoKeyUpdate(),
)
const listAccounts = statement((db) => db.selectFrom('accounts').select(accountColumns).orderBy('id'))
const addAccount = insertion('accounts', accountColumns, sql`on conflict (id) do nothing`)
const updateAccount = replacement('accounts', ['id'], accountFields)
const findLogo = statement((db, p: Named<{ account_id: string; sha256: string }>) =>
  db
    .selectFrom('account_logos')
    .select(['sha256', 'media_type', 'content'])
    .where('account_id', '=', p('account_id'))
    .where('sha256', '=', p('sha256')),
)
const putLogo = insertion(
  'account_logos',
  ['account_id', 'sha256', 'media_type', 'content'],
  sql`on conflict (account_id, sha256) do nothing`,
)

export class Accounts implements AccountWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  find(account_id: string): Promise<Account | null> {
    return this.#session.find(findAccount, { id: account_id })
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

  findLogo(account_id: string, sha256: string): Promise<StoredFile | null> {
    return this.#session.first(findLogo, { account_id, sha256 })
  }

  async putLogo(account_id: string, { sha256, media_type, content }: StoredFile): Promise<void> {
    await this.#session.run(putLogo, { account_id, sha256, media_type, content })
  }
}

// By the unique index api_keys_hash.
const findKeyByHash = statement((db, p: Named<{ hash: string }>) =>
  db.selectFrom('api_keys').selectAll().where('hash', '=', p('hash')),
)
const findKey = lookUp((db, p: Named<{ account_id: string; id: string }>) =>
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
  'last_used_at',
])
const updateKey = replacement('api_keys', ['account_id', 'id'], ['revoked_at', 'expires_at'])
const noteUse = statement((db, p: Named<{ account_id: string; id: string; at: string }>) =>
  db
    .updateTable('api_keys')
    .set({ last_used_at: p('at') })
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id'))
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', p('at'))])),
)

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
    const row = await this.#session.find(findKey, { account_id, id })
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

  async noteUse(
    uses: readonly { readonly account_id: string; readonly id: string; readonly at: string }[],
  ): Promise<void> {
    // In one order for all, so that no two transactions wait for each other.
    for (const use of uses.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await this.#session.run(noteUse, use)
  }
}
