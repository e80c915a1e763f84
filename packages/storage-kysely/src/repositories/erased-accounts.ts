import type { ErasedAccount } from '@sav/core/internal'
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
import { everyTable, type TableName, tables } from '../tables/tables.js'

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

/** Some rows of a table: by its primary key, or the index that begins with the account. */
function someOf(name: TableName): Statement<Some, never> {
  const key = sql.join(tables[name].key.map((column) => sql.ref(column)))
  return statement(
    (_, p: QueryParams<Some>) => sql<never>`
      delete from ${table(name)} where account_id = ${p('account_id')} and (${key}) in (
        select ${key} from ${table(name)} where account_id = ${p('account_id')} limit ${p('limit')})`,
  )
}

/** Every table with rows of accounts, each before those that it refers to. */
const ofAccounts = everyTable
  .filter(([, { isOfAccounts }]) => isOfAccounts)
  .map(([name, { content }]) => ({
    name,
    // Contents are megabytes each.
    isLarge: content !== null,
    deleteSome: someOf(name as TableName),
  }))
  .toReversed()
const deleteEntries = someOf('erased_entries')

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
    for (const { name, isLarge, deleteSome } of ofAccounts) {
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
