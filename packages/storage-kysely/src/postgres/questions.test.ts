import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../../../test/whole/opening.js'
import { newDatabase, patient } from '../../test/databases.js'

const at = '2026-01-15T10:30:00.000Z'

it('simultaneous look-ups of clients share one statement, and each gets its own client', async () => {
  const storage = await openPostgres(await newDatabase(), { ...patient, connections: 1 })
  onTestFinished(() => storage.close())
  const { db } = storage
  await sql`insert into accounts (id, created_at) values ('ours', ${at}), ('theirs', ${at})`.execute(db)
  await sql`insert into clients (account_id, id, nom, prenom, recherche_nom, recherche_email)
    values ('ours', 1, 'Lefèvre', 'Zoé', '', ''), ('theirs', 2, 'Petit', 'Ève', '', ''), ('ours', 3, 'Roux', 'Léo', '', '')`.execute(
    db,
  )
  const questions: [string, number][] = [
    ['ours', 3],
    ['ours', 1],
    ['ours', 2],
    ['theirs', 2],
    ['ours', 3],
  ]
  const alone = []
  for (const question of questions) alone.push(await storage.reads.directory.findClient(...question))
  expect(alone.map((client) => client?.nom)).toEqual(['Roux', 'Lefèvre', undefined, 'Petit', 'Roux'])
  const together = await Promise.all(questions.map((question) => storage.reads.directory.findClient(...question)))
  expect(together).toEqual(alone)

  const { rows } = await sql<{ runs: number }>`
    select generic_plans + custom_plans as runs from pg_prepared_statements
    where statement ~ 'clients' order by prepare_time`.execute(db)
  expect(rows.map(({ runs }) => runs)).toEqual([questions.length, 1])
})
