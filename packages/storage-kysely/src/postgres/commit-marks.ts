import { sql } from 'kysely'
import { type QueryParams, statement, table } from '../statements/statement.js'

/**
 * Each connection keeps the mark of its latest transaction in its own row, written first and committed with the rest.
 * When the answer to a commit is lost, the row reveals the outcome, even after a crash or on a promoted standby, where
 * another transaction may have the same transaction id.
 */
export const writeMark = statement(
  (_, p: QueryParams<{ connection: string; mark: string; at: string }>) => sql`
    insert into ${table('commit_marks')} (connection, mark, at) values (${p('connection')}, ${p('mark')}, ${p('at')})
    on conflict (connection) do update set mark = excluded.mark, at = excluded.at`,
)

/** Reads a mark. It waits until the transaction that wrote the mark has ended. */
export const readMark = statement((db, p: QueryParams<{ connection: string }>) =>
  db.selectFrom('commit_marks').select('mark').where('connection', '=', p('connection')).forUpdate(),
)

/** Deletes the marks of long-closed connections. */
export const sweepMarks = statement((db, p: QueryParams<{ before: string }>) =>
  db.deleteFrom('commit_marks').where('at', '<', p('before')),
)
