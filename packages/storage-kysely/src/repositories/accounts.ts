import type { Account, AccountFields, AccountWrites, Changes, StoredFile } from '@sav/core/ports'
import { sql } from 'kysely'
import { changed, fromLieu, withLieu } from '../rows.js'
import type { Session } from '../statements/session.js'
import { insertion, lookUp, type Named, replacement, statement } from '../statements/statement.js'

const accountFields = [
  'raison_sociale',
  'adresse',
  'siret',
  'email',
  'telephone',
  'assureur',
  'mediateur',
  'logo',
  'signature_requise_depuis',
  'confirmation_rdv_depuis',
  'rappel_rdv_depuis',
  'lieu',
  'zone_feries',
  'fuseau',
  'nom_expediteur',
  'repondre_a',
  'url_publique',
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

  async find(account_id: string): Promise<Account | null> {
    const row = await this.#session.find(findAccount, { id: account_id })
    return row && withLieu(row)
  }

  async list(): Promise<Account[]> {
    return (await this.#session.all(listAccounts, {})).map(withLieu)
  }

  async add(account: Account): Promise<boolean> {
    return (await this.#session.run(addAccount, { ...account, lieu: fromLieu(account.lieu) })) === 1
  }

  async update(account_id: string, fields: Changes<AccountFields>): Promise<void> {
    const found = await this.find(account_id)
    if (found === null) return
    const account = changed(found, fields)
    await this.#session.run(updateAccount, { ...account, lieu: fromLieu(account.lieu) })
  }

  findLogo(account_id: string, sha256: string): Promise<StoredFile | null> {
    return this.#session.first(findLogo, { account_id, sha256 })
  }

  async putLogo(account_id: string, { sha256, media_type, content }: StoredFile): Promise<void> {
    await this.#session.run(putLogo, { account_id, sha256, media_type, content })
  }
}
