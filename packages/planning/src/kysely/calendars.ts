import { isEnabled, type QueryParams, Repository, type schema, statementsOf } from '@sav/storage-kysely/feature'
import { type Selectable, sql } from 'kysely'
import type { CalendarWrites } from '../calendars/calendar-store.js'
import { tables } from './tables.js'

type Schema = schema.KyselyTables<typeof tables>
const { deletion, insertion, selection, statement } = statementsOf<Schema>()

type CalendarAddress = Parameters<CalendarWrites['put']>[0]

// Uses the unique index calendriers_hash.
const findByHash = statement((db, p: QueryParams<{ hash: string }>) =>
  db
    .selectFrom('calendriers')
    .selectAll()
    .where('hash', '=', p('hash'))
    .where(isEnabled(sql.ref('calendriers.account_id'))),
)
const listAddresses = selection('calendriers', ['account_id'], { order: ['cible', 'proprietaire_id'] })
const putAddress = insertion(
  'calendriers',
  tables.calendriers.names,
  sql<never>`on conflict (account_id, cible, proprietaire_id) do update set
    proprietaire_type = excluded.proprietaire_type, hash = excluded.hash, date_creation = excluded.date_creation`,
)
const endAddresses = deletion('calendriers', ['account_id', 'proprietaire_id'])

type CalendarRow = Selectable<Schema['calendriers']>

/** The `cible` of the calendar of the whole account. The ids of poseurs begin at 1. */
const wholeAccount = 0

function toAddress({ cible, proprietaire_type, proprietaire_id, ...address }: CalendarRow): CalendarAddress {
  const poseur_id = cible === wholeAccount ? null : cible
  return { ...address, poseur_id, proprietaire: toOwner(proprietaire_type, proprietaire_id) }
}

const toOwner = (type: CalendarAddress['proprietaire']['type'], id: string): CalendarAddress['proprietaire'] =>
  type === 'cle' || type === 'utilisateur' ? { type, id } : { type, id: null }

export class Calendars extends Repository implements CalendarWrites {
  async findByHash(hash: string): Promise<CalendarAddress | null> {
    const row = await this.db.first(findByHash, { hash })
    return row && toAddress(row)
  }

  async list(account_id: string): Promise<CalendarAddress[]> {
    return (await this.db.all(listAddresses, { account_id })).map(toAddress)
  }

  async put({ poseur_id, proprietaire, ...address }: CalendarAddress): Promise<void> {
    await this.db.run(putAddress, {
      ...address,
      cible: poseur_id ?? wholeAccount,
      proprietaire_type: proprietaire.type,
      proprietaire_id: proprietaire.id ?? '',
    })
  }

  async end(account_id: string, id: string): Promise<void> {
    await this.db.run(endAddresses, { account_id, proprietaire_id: id })
  }
}
