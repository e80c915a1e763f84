import type { View } from '@sav/core/adapter'
import type { Transaction } from '@sav/core/ports'
import { sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import { insertion, selection } from '../statements/statement.js'
import { tables } from '../tables/tables.js'

const findViews = selection('vues', ['account_id', 'titulaire'], { columns: ['vues'] })
const putViews = insertion(
  'vues',
  tables.vues.names,
  sql<never>`on conflict (account_id, titulaire) do update set vues = excluded.vues`,
)

export class Views extends Repository implements Pick<Transaction['views'], 'list' | 'put'> {
  async list(account_id: string, titulaire: string): Promise<View[]> {
    const row = await this.db.first(findViews, { account_id, titulaire })
    return row === null ? [] : [...tables.vues.read(row).vues]
  }

  async put(account_id: string, titulaire: string, views: readonly View[]): Promise<void> {
    await this.db.run(putViews, tables.vues.written({ account_id, titulaire, vues: views }))
  }
}
