import type { ImportedRow, ImportType } from '@sav/core/internal'
import type { ImportWrites } from '@sav/core/ports'
import { sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import { lookUpByKey, rowsStatement, withInput } from '../statements/rows-statement.js'
import { type Named, statement, table } from '../statements/statement.js'
import { tables } from '../tables/tables.js'

const { imports } = tables
const key = imports.casts(['account_id', 'type', 'cle'])
const { many: findRows } = lookUpByKey<'account_id' | 'type' | 'cle', ImportedRow>(
  'imports',
  key,
  imports.without('account_id'),
)
const columns = imports.casts(imports.names)
const putRows = rowsStatement(
  columns,
  (rows) => sql<never>`${withInput(columns, rows)}
    insert into ${table('imports')} (${sql.join(imports.names.map((name) => sql.ref(name)))})
    select ${sql.join(imports.names.map((name) => sql.ref(name)))} from input where 1 = 1
    on conflict (account_id, type, cle) do update
      set objet_id = excluded.objet_id, client_id = excluded.client_id, empreinte = excluded.empreinte`,
)
// By the index imports_client.
const eraseRows = statement(
  (_, p: Named<{ account_id: string; client_id: number }>) =>
    sql<never>`update ${table('imports')} set empreinte = ''
      where account_id = ${p('account_id')} and client_id = ${p('client_id')}`,
)

export class Imports extends Repository implements ImportWrites {
  async find(account_id: string, type: ImportType, cles: readonly string[]): Promise<ImportedRow[]> {
    const asked = cles.map((cle, n) => ({ account_id, type, cle, n }))
    return (await this.db.each(findRows, asked)).map(({ n: _, ...row }) => row)
  }

  async put(account_id: string, rows: readonly ImportedRow[]): Promise<void> {
    await this.db.sendEach(
      putRows,
      rows.map((row) => ({ account_id, ...row })),
    )
  }

  async erase(account_id: string, client_id: number): Promise<void> {
    await this.db.run(eraseRows, { account_id, client_id })
  }
}
