import type { IdempotencyWrites, KeptAnswer } from '@sav/core/ports'
import { type RawBuilder, sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import { lookUpByKey, rowsStatement, withInput } from '../statements/rows-statement.js'
import { ignoringDeferred, type QueryParams, replacement, statement, table } from '../statements/statement.js'
import { tables } from '../tables/tables.js'

type Request = { readonly account_id: string; readonly key_id: string; readonly request: string }

const answerColumns = tables.answers.casts(tables.answers.names)
const findAnswer = lookUpByKey<keyof Request, KeptAnswer>(
  'answers',
  tables.answers.casts(['account_id', 'key_id', 'request']),
  tables.answers.names,
)
const answerNames = sql.join(tables.answers.names.map((column) => sql.ref(column)))
const addedColumns = { ...answerColumns, not_before: 'text' } as const
const replacingOld = (notBefore: RawBuilder<string>) => sql`on conflict (account_id, key_id, request) do update
  set body = excluded.body, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at,
    client_id = excluded.client_id, case_id = excluded.case_id
  where answers.created_at < ${notBefore}`
const addAnswer = ignoringDeferred(
  statement(
    (_, p: QueryParams<KeptAnswer & { readonly not_before: string }>) => sql<never>`
      insert into ${table('answers')} (${answerNames})
      values (${sql.join(tables.answers.names.map((column) => p(column)))}) ${replacingOld(p('not_before'))}`,
  ),
)
const addAnswers = rowsStatement(
  addedColumns,
  (rows, { besideInput }) => sql<Request>`
    ${withInput(addedColumns, rows)}
    insert into ${table('answers')} (${answerNames}) select ${answerNames} from input ${besideInput} where 1 = 1
    ${replacingOld(sql`(select min(not_before) from input)`)}
    returning account_id, key_id, request`,
  { ignoresDeferred: true },
)
const nameOf = ({ account_id, key_id, request }: Request) => `${account_id} ${key_id} ${request}`

// Uses the indexes answers_client and answers_case.
const erased = { answer: '', body: '' }
const eraseAboutClient = replacement('answers', ['account_id', 'client_id'], ['answer', 'body'])
const eraseAboutCase = replacement('answers', ['account_id', 'case_id'], ['answer', 'body'])

// Uses the index answers_created.
const deleteAnswers = statement(
  (_, p: QueryParams<{ before: string; limit: number }>) =>
    sql<never>`delete from ${table('answers')} where (account_id, key_id, request) in (
      select account_id, key_id, request from ${table('answers')} where created_at < ${p('before')}
      order by created_at limit ${p('limit')}
    )`,
)
const countAnswers = statement((db, p: QueryParams<{ before: string }>) =>
  db
    .selectFrom('answers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('created_at', '<', p('before')),
)

export class Idempotency extends Repository implements IdempotencyWrites {
  find(account_id: string, key_id: string, request: string): Promise<KeptAnswer | null> {
    return this.db.findBatched('kept answer', findAnswer, { account_id, key_id, request })
  }

  /** Callers in one commit group insert their answers in one statement. */
  add(answer: KeptAnswer, notBefore: string): Promise<boolean> {
    return this.db.batched('answer', { ...answer, not_before: notBefore }, async (rows) => {
      const [first] = rows
      if (first !== undefined && rows.length === 1) return [(await this.db.run(addAnswer, first)) === 1]
      const added = new Set((await this.db.each(addAnswers, rows)).map(nameOf))
      return rows.map((row) => added.has(nameOf(row)))
    })
  }

  async erase(account_id: string, about: { client_id: number } | { case_id: number }): Promise<void> {
    if ('client_id' in about) await this.db.run(eraseAboutClient, { account_id, ...about, ...erased })
    else await this.db.run(eraseAboutCase, { account_id, ...about, ...erased })
  }

  purge(before: string, limit: number): Promise<number> {
    return this.db.run(deleteAnswers, { before, limit })
  }

  async purgeable(before: string): Promise<number> {
    return (await this.db.one(countAnswers, { before })).count
  }
}
