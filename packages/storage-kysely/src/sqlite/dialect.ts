import { type RawBuilder, sql } from 'kysely'
import { type Dialect, type NameOf, type SearchedTable, searched } from '../statements/dialect.js'
import { table } from '../statements/statement.js'

/**
 * The lengths of indexed beginnings, in letters. For any other length, a search first collects all words with that
 * beginning.
 */
const beginnings = '1 2 3 4 5 6 7 8 9 10 11 12'

/** The name of a table in a query, replaced by its real name when the query is compiled. */
export const inQuery: NameOf = (table) => sql.table(table)

/** The last row in the index of words. */
export const lastIndexed = (table: SearchedTable, name: NameOf): RawBuilder<number> =>
  sql`coalesce((select max(id) from ${name(`${table}_words_docsize`)}), 0)`

/** The index's text for a row: its words, and the account's own word, marked by a unique sign. */
export function wordsOf(table: SearchedTable): RawBuilder<string> {
  const columns = searched[table].map((column) => sql.ref(column))
  return sql`${sql.join([sql`'§' || hex(account_id)`, ...columns], sql` || ' ' || `)}`
}

export const sqliteDialect: Dialect = {
  database: 'SQLite',
  locksRows: false,
  place: null,
  // A row with many columns is faster if its values are bound one by one: 2.1 µs instead of 4.4 for an attempt, 4.2 µs
  // instead of 6.2 for a result.
  arrayRows: null,
  besideInput: sql``,
  nextIds: null,
  // The sign has no effect, but hides the value from the planner. Otherwise SQLite plans most statements again for each
  // run, because better-sqlite3 clears the bound values: a look-up of 2 µs takes 6, a page of a list twice as long.
  bound: (value) => sql`+${value}`,
  jsonRows(json, columns) {
    const fields = Object.keys(columns).map((column) => sql`value ->> ${sql.lit(column)} as ${sql.id(column)}`)
    return sql`(select ${sql.join(fields)} from json_each(${json})) as input`
  },
  ofEachAccount: (name, where, accounts = table('accounts')) => ({
    from: sql`${accounts} cross join ${table(name)}`,
    where: sql`${sql.ref(`${name}.account_id`)} = accounts.id and ${where}`,
  }),
  clock: null,
  lockName: () => sql`select 1`,
  searchOf: (account_id, words) =>
    [
      `"§${Buffer.from(account_id).toString('hex')}"`,
      ...words.map(({ beginnings }) => `(${beginnings.map((each) => `"${each}"*`).join(' OR ')})`),
    ].join(' AND '),
  found(table, search, unindexed) {
    const words = inQuery(`${table}_words`)
    return sql`
      select rowid as id from ${words} where ${words} match ${search}
      union all
      select id from ${sql.table(table)} as ${sql.id(table)}
      where id > ${lastIndexed(table, inQuery)} and ${unindexed}`
  },
  ddl: {
    findTable: (name) => sql`select null as schema from sqlite_master where type = 'table' and name = ${name}`,
    schemas: sql`select null as schema`,
    text: sql`text`,
    integer: sql`integer`,
    bytes: sql`blob`,
    identity: sql`integer primary key autoincrement`,
    fillFactor: () => sql``,
    indexWords(table, name) {
      const [words, rank] = [name(`${table}_words`), sql.id('rank')]
      const configure = (setting: string, value: number) =>
        sql`insert into ${words} (${words}, ${rank}) values (${sql.lit(setting)}, ${sql.lit(value)})`
      const columns = searched[table].map((column) => sql.ref(column))
      return [
        // Only the space separates words: everything beyond ASCII belongs to a word.
        sql`create virtual table ${words}
          using fts5 (words, content='', contentless_delete=1, detail=none, tokenize='ascii',
            prefix=${sql.lit(beginnings)})`,
        // Segments are merged only in steps (`WordIndexing`), 16 into one, so that no other statement takes that time.
        configure('automerge', 0),
        configure('crisismerge', 1999),
        configure('usermerge', 16),
        sql`create trigger ${name(`${table}_words_changed`)} after update of ${sql.join(columns)} on ${name(table)}
          when new.id <= ${lastIndexed(table, name)} begin
          delete from ${words} where rowid = new.id;
          insert into ${words} (rowid, words) select id, ${wordsOf(table)} from ${name(table)} where id = new.id;
        end`,
        sql`create trigger ${name(`${table}_words_removed`)} after delete on ${name(table)}
          when old.id <= ${lastIndexed(table, name)} begin
          delete from ${words} where rowid = old.id;
        end`,
      ]
    },
    refuseOverlaps(table, { name, longestMs }) {
      // No appointment is longer than `longestMs`, so only those that began within that time before the new one can
      // overlap it. The index of persons and times is read only that far back.
      const taken = sql`select 1 from ${table} as taken
        where taken.poseur_id = new.poseur_id and taken.debut_ms < new.fin_ms
          and taken.debut_ms > new.debut_ms - ${sql.lit(longestMs)} and taken.fin_ms > new.debut_ms
          and taken.rdv_id <> new.rdv_id`
      const refuse = (event: string) => sql`create trigger ${name(`rdv_personnes_${event}`)}
        before ${sql.raw(event)} on ${table} when new.debut_ms is not null and exists (${taken}) begin
          select raise(abort, 'Somebody is taken at that time.');
        end`
      return [refuse('insert'), refuse('update')]
    },
    clustered: sql`without rowid`,
  },
}
