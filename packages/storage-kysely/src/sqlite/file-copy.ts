import type Sqlite from 'better-sqlite3'
import { Driver } from './connection.js'
import { damagedAt } from './damage.js'
import { asUnavailable } from './errors.js'

/** Called with the number of copied pages of 4 KB, and of all pages. */
export type CopyProgress = (done: number, of: number) => void

/** In pages: 16 MB between two progress reports, during which a signal waits. */
const pagesPerStep = 4096

/** 1 MB, since each page is read once. The default keeps 16 MB. */
const cacheOfACopy = 'cache_size = -1024'

/**
 * Copies a database into an empty file by SQLite's own backup, as of one moment, while others continue to write to it.
 * @throws UnavailableError when the disk is full or fails; Error when the copy differs from its source
 */
export async function copyDatabase(from: string, to: string, progress: CopyProgress): Promise<void> {
  const source = new Driver(from, { readonly: true })
  try {
    source.pragma(cacheOfACopy)
    // While this transaction is open, it sees no other commits, so that no step starts over because of one.
    source.exec('begin')
    const rows = countRows(source)
    await source.backup(to, {
      progress({ totalPages, remainingPages }) {
        progress(totalPages - remainingPages, totalPages)
        return pagesPerStep
      },
    })
    if (!isWhole(to)) throw isWhole(from) ? new Error('The copy is damaged.') : damagedAt(from)
    compare(to, rows)
  } catch (error) {
    throw asUnavailable(error, from)
  } finally {
    source.close()
  }
}

type Rows = Readonly<Record<string, number>>

/** Counts the rows of every table except the indexes of words, whose rows are SQLite's own. */
function countRows(database: Sqlite.Database): Rows {
  const names = database
    .prepare<[], string>(`select name from pragma_table_list where schema = 'main' and type = 'table'`)
    .pluck()
    .all()
  return Object.fromEntries(
    names.map((name) => [name, database.prepare<[], number>(`select count(*) from "${name}"`).pluck().get() ?? 0]),
  )
}

function isWhole(file: string): boolean {
  const database = new Driver(file)
  try {
    database.pragma(cacheOfACopy)
    return database.pragma('quick_check(1)', { simple: true }) === 'ok'
  } finally {
    database.close()
  }
}

function compare(file: string, rows: Rows): void {
  const copy = new Driver(file)
  try {
    copy.pragma(cacheOfACopy)
    const there = countRows(copy)
    for (const [name, count] of Object.entries(rows))
      if (there[name] !== count) throw new Error(`The copy has ${there[name]} rows of ${name} instead of ${count}.`)
  } finally {
    copy.close()
  }
}
