import type { ReplayJob, ReplayWrites } from '@sav/core/ports'
import { type Selectable, sql } from 'kysely'
import type { Session } from '../statements/session.js'
import { insertion, lookUp, type Named, replacement, statement } from '../statements/statement.js'
import { type Schema, tables } from '../tables.js'

type OneOfAccount = { readonly account_id: string; readonly id: string }

const findReplay = lookUp((db, p: Named<OneOfAccount>) =>
  db.selectFrom('replay_jobs').selectAll().where('account_id', '=', p('account_id')).where('id', '=', p('id')),
)
// In the order of the index replay_jobs_recent.
const listReplays = statement((db, p: Named<{ account_id: string; limit: number }>) =>
  db
    .selectFrom('replay_jobs')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p('limit')),
)
// In the order of the index replay_jobs_running.
const listRunning = statement((db) =>
  db.selectFrom('replay_jobs').selectAll().where('state', '=', sql.lit('running')).orderBy('created_at').orderBy('id'),
)
const addReplay = insertion('replay_jobs', tables.replay_jobs.names)
const updateReplay = replacement('replay_jobs', ['account_id', 'id'], tables.replay_jobs.without('account_id', 'id'))

// One that an earlier release began names nothing of letters, and leaves none out.
function toReplay(row: Selectable<Schema['replay_jobs']>): ReplayJob {
  const job = tables.replay_jobs.read(row)
  return { ...job, filter: { ...job.filter, letters: job.filter.letters ?? true } }
}

export class Replays implements ReplayWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async find(account_id: string, id: string): Promise<ReplayJob | null> {
    const row = await this.#session.find(findReplay, { account_id, id })
    return row && toReplay(row)
  }

  async list(account_id: string, limit: number): Promise<ReplayJob[]> {
    return (await this.#session.all(listReplays, { account_id, limit })).map(toReplay)
  }

  async running(): Promise<ReplayJob[]> {
    return (await this.#session.all(listRunning, {})).map(toReplay)
  }

  async add(job: ReplayJob): Promise<void> {
    await this.#session.run(addReplay, tables.replay_jobs.written(job))
  }

  async update(job: ReplayJob): Promise<void> {
    await this.#session.run(updateReplay, tables.replay_jobs.written(job))
  }
}
