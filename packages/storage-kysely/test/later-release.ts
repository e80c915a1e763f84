import { sql } from 'kysely'
import { migrations } from '../src/migrations/list.gen.js'
import type { Definitions } from '../src/statements/dialect.js'
import { migrationNames } from '../src/storage/migrate.js'

/** The migrations of the running release. */
const known: Record<string, Definitions> = migrations
const ours = migrationNames()

export function become(later: Readonly<Record<string, Definitions>>): void {
  becomeThisRelease()
  Object.assign(known, later)
}

export function becomeThisRelease(): void {
  for (const name of Object.keys(known)) if (!ours.includes(name)) delete known[name]
}

export const addsColumn: Definitions = ({ text }, name) => [
  sql`alter table ${name('facts')} add column noted_by ${text}`,
  sql`update ${name('facts')} set noted_by = 'the later release'`,
]

export const failsInTheMiddle: Definitions = (ddl, name) => [
  ...addsColumn(ddl, name),
  sql`create table ${name('more_facts')} (id ${ddl.text} primary key)`,
  sql`insert into ${name('more_facts')} (id) select null from ${name('nowhere')}`,
]
