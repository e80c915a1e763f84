import { Pool } from 'pg'
import { bareCreations } from '#bare-creations'
import { type Postgres, query } from '#postgres'
import { type Part, startPart } from '#processes'

/** The number with which the bare server was fastest: it was slower with 20 or 64 connections. */
const bareConnections = 10

/** Starts a server that does the minimum for a creation, on its own database. */
export async function startBarePostgres(postgres: Postgres): Promise<Part<{ port: number }>> {
  const database = await postgres.create('bare')
  await query(database, table)
  return startPart(import.meta.url, bareServer, { database })
}

const table = `create table cases (id bigint generated always as identity primary key, client_id bigint not null,
  description text not null, type_probleme text not null, priorite text not null, date_creation text not null)`

/**
 * A server that does one insert per request, each in its own transaction, over kept connections. The statement is
 * prepared once on each connection.
 */
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
