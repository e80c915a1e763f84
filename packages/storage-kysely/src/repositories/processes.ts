import type { ProcessWrites } from '@sav/core/ports'
import { sql } from 'kysely'
import type { Session } from '../statements/session.js'
import { type Named, statement, table } from '../statements/statement.js'

const readClock = statement(
  (_, p: Named<{ own: number }>, { now }) => sql<{ now: number }>`select ${now(p('own'))} as now`,
)
const forgetProcesses = statement(
  (_, p: Named<{ since: string }>) => sql<never>`delete from ${table('processes')} where at < ${p('since')}`,
)
// The last column is of no use any more: it held what processes told each other before buckets lay in the store.
const noteProcess = statement(
  (_, p: Named<{ id: string; at: string }>) =>
    sql<never>`insert into ${table('processes')} (id, at, says) values (${p('id')}, ${p('at')}, '')
      on conflict (id) do update set at = excluded.at, says = excluded.says`,
)
const countOthers = statement((db, p: Named<{ id: string }>) =>
  db
    .selectFrom('processes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('id', '<>', p('id')),
)

export class Processes implements ProcessWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async now(own: number): Promise<number> {
    return (await this.#session.one(readClock, { own })).now
  }

  async noteAlive(process: { readonly id: string; readonly at: string }, since: string): Promise<number> {
    await this.#session.run(forgetProcesses, { since })
    await this.#session.run(noteProcess, process)
    return (await this.#session.one(countOthers, { id: process.id })).count
  }
}
