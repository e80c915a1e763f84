import { sql } from 'kysely'
import { rowsStatement, withInput } from '../statements/rows-statement.js'
import { table } from '../statements/statement.js'
import { tables } from '../tables/tables.js'

const tallyColumns = tables.case_tallies.casts(tables.case_tallies.names)
/** The rows are written in the same order everywhere, so that no two transactions wait for each other. */
export const addToTallies = rowsStatement(
  tallyColumns,
  (rows, { besideInput }) => sql<never>`
    ${withInput(tallyColumns, rows)}
    insert into ${table('case_tallies')} (account_id, jour, statut, nombre)
    select account_id, jour, statut, cast(sum(nombre) as bigint) from input ${besideInput} where 1 = 1
    group by account_id, jour, statut order by account_id, jour, statut
    on conflict (account_id, jour, statut) do update set nombre = case_tallies.nombre + excluded.nombre`,
)
