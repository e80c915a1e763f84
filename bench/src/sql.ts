import Database from 'better-sqlite3'
import { Client } from 'pg'
import { fileOf, isPostgres, type ShopEnv } from '#shop-env'

/** Runs statements on the database of a shop, in one transaction. Resolves to the rows of the last one. */
export async function execute(env: ShopEnv, statements: readonly string[]): Promise<Record<string, unknown>[]> {
  if (isPostgres(env)) {
    const client = new Client(env.SAV_DATABASE)
    await client.connect()
    await client.query('begin')
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    await client.query('commit')
    // Autovacuum would analyze a grown table within a minute, but a bench does not wait for it.
    await client.query('vacuum analyze')
    await client.end()
    return rows
  }
  const db = new Database(fileOf(env))
  const rows = db.transaction(() => {
    let last: Record<string, unknown>[] = []
    for (const statement of statements.map((text) => db.prepare<[], Record<string, unknown>>(text))) {
      if (statement.reader) last = statement.all()
      else statement.run()
    }
    return last
  })()
  db.close()
  return rows
}

/** The few SQL expressions in which the databases differ. */
export interface Words {
  /** A table expression `n (i)`: 1, 2, 3 … */
  readonly numbers: string
  hex(number: string, digits: number): string
  instant(seconds: string): string
  /** A query that returns the columns of a table, as `name`. */
  columnsOf(table: string): string
}

export function wordsOf(env: ShopEnv, count: number): Words {
  return isPostgres(env) ? postgres(count) : sqlite(count)
}

const sqlite = (count: number): Words => ({
  numbers: `n (i) as (select 1 union all select i + 1 from n where i < ${count})`,
  hex: (number, digits) => `printf('%0${digits}x', ${number})`,
  instant: (seconds) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`,
  columnsOf: (table) => `select name from pragma_table_info('${table}')`,
})

const postgres = (count: number): Words => ({
  numbers: `n (i) as (select * from generate_series(1::bigint, ${count}))`,
  hex: (number, digits) => `lpad(to_hex(${number}), ${digits}, '0')`,
  instant: (seconds) => `to_char(to_timestamp(${seconds}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  columnsOf: (table) => `select column_name as name from information_schema.columns where table_name = '${table}'`,
})
