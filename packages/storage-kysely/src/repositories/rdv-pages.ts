import type { RdvPage, RdvPageWrites } from '@sav/core/ports'
import { sql } from 'kysely'
import type { Session } from '../statements/session.js'
import { insertion, type Named, statement, table } from '../statements/statement.js'

const findPage = statement((db, p: Named<{ hash: string }>) =>
  db.selectFrom('rdv_pages').selectAll().where('hash', '=', p('hash')),
)
const addPage = insertion('rdv_pages', ['hash', 'account_id', 'rdv_id'], sql<never>`on conflict (hash) do nothing`)
// By the index rdv_pages_rdv.
const removePages = statement(
  (_, p: Named<{ account_id: string; rdv_id: number }>) =>
    sql<never>`delete from ${table('rdv_pages')} where account_id = ${p('account_id')} and rdv_id = ${p('rdv_id')}`,
)

export class RdvPages implements RdvPageWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  find(hash: string): Promise<RdvPage | null> {
    return this.#session.first(findPage, { hash })
  }

  async add({ hash, account_id, rdv_id }: RdvPage): Promise<void> {
    await this.#session.run(addPage, { hash, account_id, rdv_id })
  }

  async remove(account_id: string, rdv_id: number): Promise<void> {
    await this.#session.run(removePages, { account_id, rdv_id })
  }
}
