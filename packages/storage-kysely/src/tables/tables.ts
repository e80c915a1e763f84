import { caseTables } from './cases.js'
import { deliveryTables } from './delivery.js'
import { accessTables, directoryTables } from './directory.js'
import { evidenceTables } from './evidence.js'
import { type KyselyTables, ofTheService, table, text } from './table.js'

/**
 * Every table of a store: the one place where tables are declared, in the order of a copy, each after those that it
 * refers to. `facts` comes last: with it the target becomes a store.
 */
export const tables = {
  ...directoryTables,
  ...accessTables,
  ...caseTables,
  ...evidenceTables,
  ...deliveryTables,
  processes: table({ id: text(), at: text(), says: text() }, { key: ['id'], copied: null, evidence: ofTheService }),
  /**
   * The latest transaction of each connection: see commit-marks.ts. Unused where the answer to a commit cannot be lost.
   */
  commit_marks: table(
    { connection: text(), mark: text(), at: text() },
    { key: ['connection'], copied: null, evidence: ofTheService },
  ),
  facts: table({ name: text(), value: text() }, { key: ['name'], evidence: ofTheService }),
}

type Tables = typeof tables

/** The tables as Kysely sees them: `Table` says what each kind of column holds. */
export interface Schema extends KyselyTables<Tables> {}
