import { setImmediate } from 'node:timers/promises'
import Sqlite, { SqliteError } from 'better-sqlite3'
import { Client, DatabaseError } from 'pg'

export type Value = string | number | bigint | Buffer | null
export type Row = Readonly<Record<string, Value>>

/** Full access to the tables, without foreign keys. */
export interface Administrator {
  rows(table: string): Promise<Row[]>
  /** Replaces all rows of the table. False, with nothing written, if the table cannot hold these. */
  replace(table: string, rows: readonly Row[]): Promise<boolean>
  end(): Promise<void>
}

export function sqliteAdministrator(file: string): Administrator {
  // Waiting inside SQLite would block the store, which is in this thread and may be in a transaction.
  const database = new Sqlite(file, { timeout: 0 })
  database.pragma('foreign_keys = OFF')

  async function begin(): Promise<void> {
    for (const deadline = performance.now() + 20_000; ; await setImmediate())
      try {
        database.exec('begin immediate')
        return
      } catch (error) {
        const isBusy = error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY')
        if (!isBusy || performance.now() > deadline) throw error
      }
  }

  return {
    rows: async (table) => database.prepare<[], Row>(`select * from ${table}`).all(),
    async replace(table, rows) {
      await begin()
      try {
        database.exec(`delete from ${table}`)
        for (const row of rows) {
          const columns = Object.keys(row)
          const values = columns.map(() => '?').join(', ')
          database.prepare(`insert into ${table} (${columns.join(', ')}) values (${values})`).run(Object.values(row))
        }
        database.exec('commit')
        return true
      } catch (error) {
        database.exec('rollback')
        if (error instanceof SqliteError && /^SQLITE_(CONSTRAINT|MISMATCH)/.test(error.code)) return false
        throw error
      }
    },
    end: async () => void database.close(),
  }
}

export async function postgresAdministrator(url: string): Promise<Administrator> {
  const client = new Client({ connectionString: url })
  await client.connect()
  // Switches off foreign keys and triggers.
  await client.query('set session_replication_role = replica')
  return {
    rows: async (table) => (await client.query<Row>(`select * from ${table}`)).rows,
    async replace(table, rows) {
      await client.query('begin')
      try {
        await client.query(`delete from ${table}`)
        for (const row of rows) {
          const columns = Object.keys(row)
          const values = columns.map((_, index) => `$${index + 1}`).join(', ')
          const insert = `insert into ${table} (${columns.join(', ')}) overriding system value values (${values})`
          await client.query(insert, Object.values(row))
        }
        await client.query('commit')
        return true
      } catch (error) {
        await client.query('rollback')
        // Codes that begin with 22 or 23 are data exceptions and violated constraints.
        if (error instanceof DatabaseError && /^2[23]/.test(error.code ?? '')) return false
        throw error
      }
    },
    end: () => client.end(),
  }
}

/** A change of one row, or of a value swapped between two rows. */
export interface Falsification {
  readonly table: string
  /** Null for a deleted or inserted row. */
  readonly column: string | null
  readonly kind: 'changed' | 'swapped' | 'deleted' | 'inserted'
  readonly row: number
  apply(rows: readonly Row[]): Row[]
}

/** A different value of the same kind. */
export function altered(value: Value, at: number): Value {
  if (value === null) return '1'
  if (typeof value === 'number') return value + 1
  if (typeof value === 'bigint') return value + 1n
  if (Buffer.isBuffer(value)) {
    const bytes = Buffer.from(value)
    if (bytes.length === 0) return Buffer.from('x')
    const place = at % bytes.length
    bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place)
    return bytes
  }
  if (/^\d+$/.test(value) && value.length < 16) return String(Number(value) + 1)
  const place = at % Math.max(1, value.length)
  const code = value.charCodeAt(place)
  const other = Number.isNaN(code) || code === 120 ? 'y' : 'x'
  return `${value.slice(0, place)}${other}${value.slice(place + 1)}`
}

const nextOf = (rows: readonly Row[], column: string) => Math.max(0, ...rows.map((row) => Number(row[column] ?? 0))) + 1

/** The columns in which an inserted copy of a row gets new values. */
const keysOfCopies: Readonly<Record<string, readonly string[]>> = {
  cases: ['id', 'numero'],
  case_history: ['numero'],
  evidence_entries: ['sequence'],
  evidence_stamps: ['sequence'],
  reports: ['sequence'],
}

/**
 * Every falsification of one row: each column changed, or swapped with another row's; the row deleted, or inserted
 * again.
 */
export function falsificationsOf(table: string, rows: readonly Row[], at: number): Falsification[] {
  const all: Falsification[] = []
  for (const [index, row] of rows.entries()) {
    const put = (other: Row | null) => (now: readonly Row[]) =>
      now.flatMap((kept, place) => (place === index ? (other === null ? [] : [other]) : [kept]))
    all.push({ table, column: null, kind: 'deleted', row: index, apply: put(null) })
    const keys = keysOfCopies[table]
    if (keys !== undefined)
      all.push({
        ...{ table, column: null, kind: 'inserted', row: index },
        apply: (now) => [...now, { ...row, ...Object.fromEntries(keys.map((key) => [key, nextOf(now, key)])) }],
      })
    for (const [column, value] of Object.entries(row)) {
      const change = (other: Value) => put({ ...row, [column]: other })
      all.push({ table, column, kind: 'changed', row: index, apply: change(altered(value, at)) })
      if (value !== null) all.push({ table, column, kind: 'changed', row: index, apply: change(null) })
      const other = rows[(index + 1 + (at % Math.max(1, rows.length - 1))) % rows.length]
      const theirs = other?.[column]
      if (other === undefined || other === row || theirs === undefined || String(theirs) === String(value)) continue
      all.push({
        ...{ table, column, kind: 'swapped', row: index },
        apply: (now) =>
          now.map((kept, place) =>
            place === index
              ? { ...kept, [column]: theirs }
              : place === rows.indexOf(other)
                ? { ...kept, [column]: value }
                : kept,
          ),
      })
    }
  }
  return all
}
