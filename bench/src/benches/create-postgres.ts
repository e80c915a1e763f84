import { Pool } from 'pg'
import { bareCreations } from '#bare-creations'
import { alternate, type Row, rate, type Settings } from '#bench'
import { creating } from '#creating'
import { query, startPostgres } from '#postgres'
import { scratch, startPart, startServer } from '#processes'
import { addAccounts, fillShop, type Shop } from '#shop'
import { shopEnv } from '#shop-env'

const rounds = 3
const accounts = 16

/** 20 and 64 made it slower. */
const bareConnections = 10

/**
 * Like `create`, on a PostgreSQL that shares the machine: in one account, whose references without a gap go one after
 * another, and spread evenly over 16; both in a shop of 2,000 cases. About 30 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  using folder = scratch()
  await using postgres = await startPostgres()
  const env = shopEnv(folder.path, await postgres.create('sav'))
  const receivers = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/two']
  const shop = await fillShop(folder.path, env, { cases: 2000, days: 10, receivers })
  const names = Array.from({ length: accounts - 1 }, (_, n) => `account-${n}`)
  const others = await addAccounts(env, names, receivers)
  // As autovacuum does within a minute: plans made for empty tables choose the wrong index.
  await query(env.SAV_DATABASE, 'vacuum analyze')
  await using server = await startServer(['--no-worker'], { folder: folder.path, env })

  const database = await postgres.create('bare')
  await query(database, table)
  await using bare = await startPart(import.meta.url, bareServer, { database })

  const beside = (callers: readonly Shop[]) =>
    alternate({
      rounds,
      subject: async () => (await creating({ port: server.port, callers, say })).perSecond,
      baseline: async () => (await creating({ port: bare.value.port, callers, say })).perSecond,
      say,
    })
  return [
    rate('create-postgres', 'requests/s', await beside([shop]), 0.15),
    rate('create-postgres-accounts', 'requests/s', await beside([shop, ...others]), 0.3),
  ]
}

const table = `create table cases (id bigint generated always as identity primary key, client_id bigint not null,
  description text not null, type_probleme text not null, priorite text not null, date_creation text not null)`

/** One insert a request, each a transaction of its own, over kept connections and prepared once on each of them. */
export async function bareServer({ database }: { database: string }): Promise<{ port: number }> {
  const pool = new Pool({ connectionString: database, max: bareConnections })
  return bareCreations(async ({ client_id, description, type_probleme, priorite, date_creation }, answer) => {
    const { rows } = await pool.query({
      name: 'insert',
      text: `insert into cases (client_id, description, type_probleme, priorite, date_creation)
        values ($1, $2, $3, $4, $5) returning id`,
      values: [client_id, description, type_probleme, priorite, date_creation],
    })
    answer(Number(rows[0].id))
  })
}
