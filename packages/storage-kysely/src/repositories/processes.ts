import type { Processes } from '@sav/core/ports'
import { sql } from 'kysely'
import type { Session } from '../statements/session.js'
import { type Named, statement, table } from '../statements/statement.js'

const forgetProcesses = statement(
  (_, p: Named<{ alive_since: string }>) =>
    sql<never>`delete from ${table('processes')} where at < ${p('alive_since')}`,
)
const noteProcess = statement(
  (_, p: Named<{ id: string; at: string; says: string }>) =>
    sql<never>`insert into ${table('processes')} (id, at, says) values (${p('id')}, ${p('at')}, ${p('says')})
      on conflict (id) do update set at = excluded.at, says = excluded.says`,
)
const listOthers = statement((db, p: Named<{ id: string }>) =>
  db.selectFrom('processes').select('says').where('id', '<>', p('id')).orderBy('id'),
)

/** As `Storage.processes` promises it. */
export function processesOf(transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>): Processes {
  return {
    exchange: (own, aliveSince) =>
      transaction(async (session) => {
        await session.run(forgetProcesses, { alive_since: aliveSince })
        await session.run(noteProcess, own)
        return (await session.all(listOthers, { id: own.id })).map(({ says }) => says)
      }),
  }
}
