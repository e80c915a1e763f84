import {
  type Definitions,
  type FeatureTables,
  type QueryParams,
  Repository,
  repository,
  schema,
  statementsOf,
  table,
} from '@sav/storage-kysely/feature'
import { sql } from 'kysely'
import { type TagWrites, tagStore } from './tags.ts'

const tables = {
  case_tags: schema.table(
    { account_id: schema.text(), case_id: schema.whole(), nom: schema.text() },
    {
      key: ['account_id', 'case_id', 'nom'],
      evidence: { none: 'a tag is an internal note, not part of the record of a close' },
    },
  ),
}

const caseTags: Definitions = ({ text, integer, clustered }, name) => [
  sql`create table ${name('case_tags')} (
    account_id ${text} not null references ${name('accounts')} (id),
    case_id ${integer} not null references ${name('cases')} (id),
    nom ${text} not null,
    primary key (account_id, case_id, nom)
  ) ${clustered}`,
  sql`create index ${name('case_tags_nom')} on ${name('case_tags')} (account_id, nom, case_id)`,
]

const { selection, insertion, deletion, statement } = statementsOf<schema.KyselyTables<typeof tables>>()

const listOfCase = selection('case_tags', ['account_id', 'case_id'], { columns: ['nom'], order: ['nom'] })
// This query uses the index case_tags_nom.
const listCases = selection('case_tags', ['account_id', 'nom'], { columns: ['case_id'], order: ['case_id desc'] })
const addTag = insertion('case_tags', ['account_id', 'case_id', 'nom'])
const removeTag = deletion('case_tags', ['account_id', 'case_id', 'nom'])
const forgetClient = statement(
  (_, p: QueryParams<{ account_id: string; client_id: number }>) => sql<never>`
    delete from ${table('case_tags')} where account_id = ${p('account_id')} and case_id in (
      select id from ${table('cases')} where account_id = ${p('account_id')} and client_id = ${p('client_id')})`,
)

class TagRows extends Repository implements TagWrites {
  async ofCase(account_id: string, case_id: number): Promise<string[]> {
    return (await this.db.all(listOfCase, { account_id, case_id })).map(({ nom }) => nom)
  }

  async cases(account_id: string, nom: string): Promise<number[]> {
    return (await this.db.all(listCases, { account_id, nom })).map(({ case_id }) => case_id)
  }

  async add(account_id: string, case_id: number, nom: string): Promise<void> {
    await this.db.run(addTag, { account_id, case_id, nom })
  }

  async remove(account_id: string, case_id: number, nom: string): Promise<boolean> {
    return (await this.db.run(removeTag, { account_id, case_id, nom })) > 0
  }

  async forget(account_id: string, client_id: number): Promise<void> {
    await this.db.run(forgetClient, { account_id, client_id })
  }
}

/** The tables of the feature, on SQLite and on PostgreSQL. */
export const tagsTables: FeatureTables = {
  name: 'tags',
  tables,
  migrations: { 'tags-0001-case-tags': caseTags },
  repositories: [repository(tagStore, (db) => new TagRows(db))],
}
