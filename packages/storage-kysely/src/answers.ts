import type { AnswerWrites, KeptAnswer, Processes } from '@sav/core/ports'
import { sql } from 'kysely'
import type { Session } from './session.js'
import { apart, type Named, statement } from './statement.js'

type Request = { readonly account_id: string; readonly key_id: string; readonly request: string }

const findAnswer = statement((db, p: Named<Request>) =>
  db
    .selectFrom('answers')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .where('key_id', '=', p('key_id'))
    .where('request', '=', p('request')),
)
const addAnswer = apart(
  statement(
    (_, p: Named<KeptAnswer & { readonly not_before: string }>) =>
      sql<never>`insert into answers (account_id, key_id, request, body, status, answer, created_at)
      values (${p('account_id')}, ${p('key_id')}, ${p('request')}, ${p('body')}, ${p('status')}, ${p('answer')},
        ${p('created_at')})
      on conflict (account_id, key_id, request) do update
      set body = excluded.body, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
      where answers.created_at < ${p('not_before')}`,
  ),
)

export class Answers implements AnswerWrites {
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
}

const forgetProcesses = statement(
  (_, p: Named<{ alive_since: string }>) => sql<never>`delete from processes where at < ${p('alive_since')}`,
)
const noteProcess = statement(
  (_, p: Named<{ id: string; at: string; says: string }>) =>
    sql<never>`insert into processes (id, at, says) values (${p('id')}, ${p('at')}, ${p('says')})
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
