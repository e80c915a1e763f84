import { sql } from 'kysely'
import type { Session } from '../statements/session.js'
import { insertion, type Named, statement } from '../statements/statement.js'

const findFact = statement((db, p: Named<{ name: string }>) =>
  db.selectFrom('facts').select('value').where('name', '=', p('name')),
)
/** By name: there may be no row yet. */
const lockFact = statement((_, p: Named<{ name: string }>, { lockName }) => lockName(p('name')))
const setFact = insertion('facts', ['name', 'value'], sql`on conflict (name) do update set value = excluded.value`)

/** Small facts about the installation itself. */
export class Facts {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async get(name: string): Promise<string | null> {
    await this.#session.lock(lockFact, { name })
    const row = await this.#session.first(findFact, { name })
    return row?.value ?? null
  }

  async set(name: string, value: string): Promise<void> {
    await this.#session.lock(lockFact, { name })
    await this.#session.run(setFact, { name, value })
  }
}
