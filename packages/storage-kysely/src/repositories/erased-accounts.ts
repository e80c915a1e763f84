import type { ErasedAccount } from '@sav/core/adapter'
import type { Transaction } from '@sav/core/ports'
import { sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import {
  deletion,
  insertion,
  lookUpBy,
  type QueryParams,
  type Statement,
  statement,
  table,
} from '../statements/statement.js'
import type { StoreTables } from '../tables/store-tables.js'
import { tables } from '../tables/tables.js'

type ErasedAccountWrites = Transaction['erasedAccounts']
type ErasedEntries = ReturnType<ErasedAccountWrites['walk']>
type OfAccount = { readonly account_id: string }
type Some = OfAccount & { readonly limit: number }

const findErased = lookUpBy('erased_accounts', ['id'])
const listErased = statement((db) => db.selectFrom('erased_accounts').selectAll().orderBy('id'))
const saveErased = insertion(
  'erased_accounts',
  tables.erased_accounts.names,
  sql<never>`on conflict (id) do update set chain_erased_at = excluded.chain_erased_at,
    chain_erased_by = excluded.chain_erased_by, date = excluded.date, sequence = excluded.sequence, hash_entree = excluded.hash_entree`,
)
const walkErased = statement((db, p: QueryParams<Some & { after: number }>) =>
  db
    .selectFrom('erased_entries')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .where('sequence', '>', p('after'))
    .orderBy('sequence')
    .limit(p('limit')),
)
const kept = sql.join(tables.erased_entries.names.map((column) => sql.ref(column)))
const keepEntries = statement(
  (_, p: QueryParams<Some>) => sql<never>`
    insert into ${table('erased_entries')} (${kept})
    select ${kept} from ${table('evidence_entries')} where account_id = ${p('account_id')}
    order by sequence limit ${p('limit')}`,
)
const deleteKept = statement(
  (_, p: QueryParams<OfAccount>) => sql<never>`
    delete from ${table('evidence_entries')} where account_id = ${p('account_id')} and sequence <= (
      select max(erased_entries.sequence) from ${table('erased_entries')}
      where erased_entries.account_id = ${p('account_id')})`,
)
const deleteAccount = deletion('accounts', ['id'])

/** Deletes some rows of a table. It finds them by the primary key, or by the index that begins with the account. */
function someOf(name: string, columns: readonly string[]): Statement<Some, never> {
  const key = sql.join(columns.map((column) => sql.ref(column)))
  return statement(
    (_, p: QueryParams<Some>) => sql<never>`
      delete from ${table(name)} where account_id = ${p('account_id')} and (${key}) in (
        select ${key} from ${table(name)} where account_id = ${p('account_id')} limit ${p('limit')})`,
  )
}

interface TableOfAccounts {
  readonly name: string
  readonly isLarge: boolean
  readonly deleteSome: Statement<Some, never>
}

/** Statements are compiled once per store, so the same ones are used each time. */
const ofStores = new WeakMap<StoreTables, readonly TableOfAccounts[]>()

/** Every table with rows of accounts, each before those that it refers to. */
function ofAccountsIn(store: StoreTables): readonly TableOfAccounts[] {
  const known = ofStores.get(store)
  if (known !== undefined) return known
  const found = [...store.all]
    .filter(([, { isOfAccounts }]) => isOfAccounts)
    // Contents are megabytes each.
    .map(([name, { key, content }]) => ({ name, isLarge: content !== null, deleteSome: someOf(name, key) }))
    .toReversed()
  ofStores.set(store, found)
  return found
}

const deleteEntries = someOf('erased_entries', tables.erased_entries.key)

export class ErasedAccounts extends Repository implements ErasedAccountWrites {
  find(account_id: string): Promise<ErasedAccount | null> {
    return this.db.find(findErased, { id: account_id })
  }

  list(): Promise<ErasedAccount[]> {
    return this.db.all(listErased, {})
  }

  async walk(
    account_id: string,
    { afterSequence, limit }: { readonly afterSequence: number; readonly limit: number },
  ): Promise<Awaited<ErasedEntries>> {
    const rows = await this.db.all(walkErased, { account_id, after: afterSequence, limit })
    return rows.map(({ account_id: account, ...entry }) => ({ account, ...entry }))
  }

  async save(erased: ErasedAccount): Promise<void> {
    await this.db.run(saveErased, { ...erased })
  }

  async eraseRows(account_id: string, { keepsChain }: { readonly keepsChain: boolean }): Promise<number> {
    for (const { name, isLarge, deleteSome } of ofAccountsIn(this.db.tables)) {
      const deleted =
        name === 'evidence_entries' && keepsChain
          ? await this.#moveEntries(account_id)
          : await this.db.run(deleteSome, { account_id, limit: isLarge ? 8 : 500 })
      if (deleted > 0) return deleted
    }
    return keepsChain ? 0 : this.db.run(deleteEntries, { account_id, limit: 500 })
  }

  async #moveEntries(account_id: string): Promise<number> {
    await this.db.run(keepEntries, { account_id, limit: 500 })
    return this.db.run(deleteKept, { account_id })
  }

  async remove(account_id: string): Promise<void> {
    await this.db.run(deleteAccount, { id: account_id })
  }
}
