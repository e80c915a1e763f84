import type { Intervention } from '@sav/core'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { QueryRunner } from '../statements/query-runner.js'
import { insertion, type QueryParams, statement, table } from '../statements/statement.js'
import { type Schema, tables } from '../tables/tables.js'

type OneCase = { readonly account_id: string; readonly id: number }

// Reads in the order of the index interventions_case.
const listInterventions = statement((db, p: QueryParams<OneCase>) =>
  db
    .selectFrom('interventions')
    .innerJoin('poseurs', (join) =>
      join
        .onRef('poseurs.account_id', '=', 'interventions.account_id')
        .onRef('poseurs.id', '=', 'interventions.poseur_id'),
    )
    .select(tables.interventions.without('account_id', 'case_id', 'id'))
    .select('interventions.id')
    .select('poseurs.nom as poseur_nom')
    .where('interventions.account_id', '=', p('account_id'))
    .where('case_id', '=', p('id'))
    .orderBy('interventions.id'),
)
const listVisited = statement((db, p: QueryParams<{ account_id: string; after: number; limit: number }>) =>
  db
    .selectFrom('interventions')
    .select('case_id')
    .where('account_id', '=', p('account_id'))
    .where('case_id', '>', p('after'))
    .groupBy('case_id')
    .orderBy('case_id')
    .limit(p('limit')),
)
const insertIntervention = insertion(
  'interventions',
  tables.interventions.without('id'),
  sql<{ id: number }>`returning id`,
)
const eraseOfCase = statement(
  (_, p: QueryParams<OneCase & { replacement: string }>) =>
    sql<never>`update ${table('interventions')}
      set compte_rendu = case when compte_rendu is not null then ${p('replacement')} end, pieces = '[]'
      where account_id = ${p('account_id')} and case_id = ${p('id')}`,
)

/**
 * A `from` clause for the visits of a case before a given one, as `earlier`. Its condition on `rdv_id`, a column that
 * the index of dates lacks, keeps SQLite from choosing that index, by which it would read every visit of the account
 * for each visit.
 * @param visit the given visit's name in the query
 */
export const earlierVisits = (visit: string): RawBuilder<unknown> => {
  const its = (column: string) => sql.ref(`${visit}.${column}`)
  return sql`from ${sql.table('interventions')} as earlier
    where earlier.account_id = ${its('account_id')} and earlier.case_id = ${its('case_id')} and earlier.rdv_id > 0
      and (earlier.date_debut || '' < ${its('date_debut')}
        or earlier.date_debut || '' = ${its('date_debut')} and earlier.id < ${its('id')})`
}

export async function interventionsOf(db: QueryRunner, of: OneCase): Promise<Intervention[]> {
  return (await db.all(listInterventions, of)).map(toIntervention)
}

export async function casesVisited(
  db: QueryRunner,
  asked: { readonly account_id: string; readonly after: number; readonly limit: number },
): Promise<number[]> {
  return (await db.all(listVisited, asked)).map(({ case_id }) => case_id)
}

export async function addIntervention(
  db: QueryRunner,
  { account_id, id }: OneCase,
  { poseur, ...intervention }: Omit<Intervention, 'id'>,
): Promise<number> {
  const row = { ...tables.interventions.written(intervention), poseur_id: poseur.id }
  return (await db.one(insertIntervention, { account_id, case_id: id, ...row })).id
}

export async function eraseInterventions(db: QueryRunner, of: OneCase, replacement: string): Promise<void> {
  await db.run(eraseOfCase, { ...of, replacement })
}

type InterventionRow = Omit<Selectable<Schema['interventions']>, 'account_id' | 'case_id'>

function toIntervention({
  poseur_id,
  poseur_nom,
  ...row
}: InterventionRow & { readonly poseur_nom: string }): Intervention {
  return { ...tables.interventions.read(row), poseur: { id: poseur_id, nom: poseur_nom } }
}
