import type { IdempotencyWrites, KeptAnswer } from '@sav/core/ports'
import { sql } from 'kysely'
import type { Session } from '../statements/session.js'
import { ignoringDeferred, type Named, statement, table } from '../statements/statement.js'

type Request = { readonly account_id: string; readonly key_id: string; readonly request: string }

const findAnswer = statement((db, p: Named<Request>) =>
  db
    .selectFrom('answers')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .where('key_id', '=', p('key_id'))
    .where('request', '=', p('request')),
)
const addAnswer = ignoringDeferred(
  statement(
    (_, p: Named<KeptAnswer & { readonly not_before: string }>) =>
      sql<never>`insert into ${table('answers')} (account_id, key_id, request, body, status, answer, created_at, client_id, case_id)
      values (${p('account_id')}, ${p('key_id')}, ${p('request')}, ${p('body')}, ${p('status')}, ${p('answer')},
        ${p('created_at')}, ${p('client_id')}, ${p('case_id')})
      on conflict (account_id, key_id, request) do update
      set body = excluded.body, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at,
        client_id = excluded.client_id, case_id = excluded.case_id
      where answers.created_at < ${p('not_before')}`,
  ),
)

// By the indexes answers_client and answers_case.
const eraseAbout = (column: 'client_id' | 'case_id') =>
  statement((db, p: Named<{ account_id: string; id: number }>) =>
    db
      .updateTable('answers')
      .set({ answer: '', body: '' })
      .where('account_id', '=', p('account_id'))
      .where(column, '=', p('id')),
  )
const eraseAboutClient = eraseAbout('client_id')
const eraseAboutCase = eraseAbout('case_id')

// By the index answers_created.
const deleteAnswers = statement(
  (_, p: Named<{ before: string; limit: number }>) =>
    sql<never>`delete from ${table('answers')} where (account_id, key_id, request) in (
      select account_id, key_id, request from ${table('answers')} where created_at < ${p('before')}
      order by created_at limit ${p('limit')}
    )`,
)
const countAnswers = statement((db, p: Named<{ before: string }>) =>
  db
    .selectFrom('answers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('created_at', '<', p('before')),
)

export class Idempotency implements IdempotencyWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  find(account_id: string, key_id: string, request: string): Promise<KeptAnswer | null> {
    return this.#session.first(findAnswer, { account_id, key_id, request })
  }

  async add(answer: KeptAnswer, notBefore: string): Promise<boolean> {
    return (await this.#session.run(addAnswer, { ...answer, not_before: notBefore })) === 1
  }

  async erase(account_id: string, about: { client_id: number } | { case_id: number }): Promise<void> {
    if ('client_id' in about) await this.#session.run(eraseAboutClient, { account_id, id: about.client_id })
    else await this.#session.run(eraseAboutCase, { account_id, id: about.case_id })
  }

  purge(before: string, limit: number): Promise<number> {
    return this.#session.run(deleteAnswers, { before, limit })
  }

  async purgeable(before: string): Promise<number> {
    return (await this.#session.one(countAnswers, { before })).count
  }
}
