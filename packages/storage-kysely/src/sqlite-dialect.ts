import { type RawBuilder, sql } from 'kysely'
import { type Dialect, type SearchedTable, searched } from './dialect.js'

const wordsOf = (table: SearchedTable) => sql.table(`${table}_words`)

/** Everything up to it is in the index of words. */
const lastIndexed = (table: SearchedTable) =>
  sql`coalesce((select max(id) from ${sql.table(`${table}_words_docsize`)}), 0)`

/**
 * Each row that is added would make a segment of its own in the index, to be merged with others later: a case would take
 * three times as long (250 µs), and takes 10 µs more this way. Rows are indexed by so many, and a search reads the others.
 */
const indexedAtOnce = 4096

/** In letters. Without an index of just that length, a search puts together all that its words begin before it looks. */
const beginnings = '1 2 3 4 5 6 7 8 9 10 11 12'

export const sqliteDialect: Dialect = {
  locksRows: false,
  // A row of many columns takes half the time: 2.1 µs instead of 4.4 for an attempt, 4.2 µs instead of 6.2 for a result.
  manyRows: 'values',
  // The sign does nothing, but hides the value from the planner. Otherwise SQLite plans most statements anew for each
  // run, since better-sqlite3 clears what was bound: a look-up of 2 µs takes 6, a page of a list twice as long.
  bound: (value) => sql`+${value}`,
  jsonRows(json, columns) {
    const fields = Object.keys(columns).map((column) => sql`value ->> ${sql.lit(column)} as ${sql.id(column)}`)
    return sql`(select ${sql.join(fields)} from json_each(${json})) as input`
  },
  lockName: () => sql`select 1`,
  searchOf: (account_id, words) =>
    [`"§${Buffer.from(account_id).toString('hex')}"`, ...words.map((word) => `"${word}"*`)].join(' AND '),
  found: (table, search, unindexed) => sql`
    select rowid as id from ${wordsOf(table)} where ${wordsOf(table)} match ${search}
    union all
    select id from ${sql.table(table)} where id > ${lastIndexed(table)} and ${unindexed}`,
  ddl: {
    text: sql`text`,
    integer: sql`integer`,
    bytes: sql`blob`,
    identity: sql`integer primary key autoincrement`,
    roomToChange: () => [],
    dropForeignKey: () => [],
    indexWords(table) {
      const columns = searched[table].map((column) => sql.ref(column))
      // The account's own word has a sign that is in no other.
      const text = sql.join([sql`'§' || hex(account_id)`, ...columns], sql` || ' ' || `)
      const index = (rows: RawBuilder<unknown>) => sql`insert into ${wordsOf(table)} (rowid, words)
        select id, ${text} from ${sql.table(table)} where ${rows}`
      const trigger = (name: string) => sql`create trigger ${sql.id(`${table}_words_${name}`)} after`
      return [
        // What it would take for a separator is but the space: everything beyond ASCII belongs to a word.
        sql`create virtual table ${wordsOf(table)}
          using fts5 (words, content='', contentless_delete=1, detail=none, tokenize='ascii',
            prefix=${sql.lit(beginnings)})`,
        index(sql`1 = 1 order by id`),
        sql`${trigger('added')} insert on ${sql.table(table)} when new.id % ${sql.lit(indexedAtOnce)} = 0 begin
          ${index(sql`id > ${lastIndexed(table)} and id <= new.id order by id`)};
        end`,
        sql`${trigger('changed')} update of ${sql.join(columns)} on ${sql.table(table)}
          when new.id <= ${lastIndexed(table)} begin
          delete from ${wordsOf(table)} where rowid = new.id;
          ${index(sql`id = new.id`)};
        end`,
      ]
    },
    clustered: sql`without rowid`,
  },
}
