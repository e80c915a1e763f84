import type { ProcessWrites } from '@sav/core/ports'
import { sql } from 'kysely'
import { type QueryRunner, Repository } from '../statements/query-runner.js'
import { insertion, type QueryParams, selection, statement, table } from '../statements/statement.js'

const findFact = selection('facts', ['name'], { columns: ['value'] })
/** Locks by name, because there may be no row yet. */
const lockFact = statement((_, p: QueryParams<{ name: string }>, { lockName }) => lockName(p('name')))
const setFact = insertion('facts', ['name', 'value'], sql`on conflict (name) do update set value = excluded.value`)

/** Metadata of the installation itself. */
export class Facts extends Repository {
  async get(name: string): Promise<string | null> {
    await this.db.lock(lockFact, { name })
    const row = await this.db.first(findFact, { name })
    return row?.value ?? null
  }

  async set(name: string, value: string): Promise<void> {
    await this.db.lock(lockFact, { name })
    await this.db.run(setFact, { name, value })
  }
}

const readClock = statement((_, __, { clock }) => sql<{ now: number }>`select ${clock} as now`)

/** Reads and notes the server's time, in milliseconds since the Unix epoch. */
export async function lookAtClock(db: QueryRunner): Promise<number> {
  const askedAtMs = performance.now()
  const { now } = await db.one(readClock, {})
  db.clock.note(now, askedAtMs)
  return now
}

const forgetProcesses = statement(
  (_, p: QueryParams<{ since: string }>) => sql<never>`delete from ${table('processes')} where at < ${p('since')}`,
)
// The column `says` is not used, but must have a value.
const noteProcess = statement(
  (_, p: QueryParams<{ id: string; at: string }>) =>
    sql<never>`insert into ${table('processes')} (id, at, says) values (${p('id')}, ${p('at')}, '')
      on conflict (id) do update set at = excluded.at, says = excluded.says`,
)
const countOthers = statement((db, p: QueryParams<{ id: string }>) =>
  db
    .selectFrom('processes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('id', '<>', p('id')),
)

export class Processes extends Repository implements ProcessWrites {
  async now(own: number): Promise<number> {
    return this.db.dialect.clock === null ? own : lookAtClock(this.db)
  }

  async noteAlive(process: { readonly id: string; readonly at: string }, since: string): Promise<number> {
    await this.db.run(forgetProcesses, { since })
    await this.db.run(noteProcess, process)
    return (await this.db.one(countOthers, { id: process.id })).count
  }
}
