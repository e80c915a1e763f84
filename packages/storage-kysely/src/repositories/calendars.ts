import type { CalendarAddress, CalendarWrites } from '@sav/core/ports'
import { sql } from 'kysely'
import type { CalendarTable } from '../planning-schema.js'
import type { Session } from '../statements/session.js'
import { insertion, type Named, statement } from '../statements/statement.js'

const findAddress = statement((db, p: Named<{ account_id: string; cible: number }>) =>
  db.selectFrom('calendriers').selectAll().where('account_id', '=', p('account_id')).where('cible', '=', p('cible')),
)
// By the unique index calendriers_hash.
const findByHash = statement((db, p: Named<{ hash: string }>) =>
  db.selectFrom('calendriers').selectAll().where('hash', '=', p('hash')),
)
const putAddress = insertion(
  'calendriers',
  ['account_id', 'cible', 'hash', 'date_creation'],
  sql<never>`on conflict (account_id, cible) do update set hash = excluded.hash, date_creation = excluded.date_creation`,
)

/** Ids begin at 1. */
const wholeAccount = 0

function toAddress(row: CalendarTable | null): CalendarAddress | null {
  if (row === null) return null
  const { cible, ...address } = row
  return { ...address, poseur_id: cible === wholeAccount ? null : cible }
}

export class Calendars implements CalendarWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async find(account_id: string, poseur_id: number | null): Promise<CalendarAddress | null> {
    return toAddress(await this.#session.first(findAddress, { account_id, cible: poseur_id ?? wholeAccount }))
  }

  async findByHash(hash: string): Promise<CalendarAddress | null> {
    return toAddress(await this.#session.first(findByHash, { hash }))
  }

  async put({ poseur_id, ...address }: CalendarAddress): Promise<void> {
    await this.#session.run(putAddress, { ...address, cible: poseur_id ?? wholeAccount })
  }
}
