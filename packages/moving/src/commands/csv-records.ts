import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { usageError } from '@sav/command/feature'
import { CsvError, type InfoRecord, parse } from 'csv-parse'
import { longestLine } from './whole-lines.js'

export interface CsvRecord {
  /** The line on which it begins, counted from 1. */
  readonly line: number
  readonly record: string[]
}

export interface CsvFile {
  /** The name of the table in error messages. */
  readonly name: string
  readonly delimiter: string
}

/**
 * The records of a table as they are read, without those with only empty cells.
 * @param texts whole lines
 * @throws CommandError where the table is malformed
 */
export async function* csvRecords(
  { name, delimiter }: CsvFile,
  texts: AsyncIterable<string>,
): AsyncGenerator<CsvRecord, undefined> {
  const parser = parse({
    delimiter,
    bom: true,
    // This also skips records with only empty cells, which spreadsheets leave by the thousand.
    skip_records_with_empty_values: true,
    skip_empty_lines: true,
    trim: true,
    relax_column_count: true,
    // Within a cell that does not begin with a quote, quotes are ordinary characters.
    relax_quotes: true,
    info: true,
    // This limit also applies to a text whose closing quote is missing.
    max_record_size: longestLine,
  })
  // The loop below reports the error.
  pipeline(Readable.from(withLineFeeds(texts)), parser).catch(() => {})
  try {
    let before = 0
    for await (const { info, record } of parser as AsyncIterable<{ info: InfoRecord; record: string[] }>) {
      // The parser reports the line on which a record ends.
      const within = info.lines - before > 1 ? record.join('').split('\n').length - 1 : 0
      before = info.lines
      yield { line: info.lines - within, record }
    }
  } catch (error) {
    if (error instanceof CsvError) throw usageError(`${name}: ${problemOf(error)}`)
    throw error
  }
}

/** Replaces each CRLF by a line feed, because within quotes the parser counts a CRLF as two lines. */
async function* withLineFeeds(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const text of texts) {
    const lines = text.replaceAll('\r\n', '\n')
    // An empty line remains, so that the other lines keep their numbers.
    yield isFirst ? lines.replace(separatorLine, '') : lines
    isFirst = false
  }
}

/** A first line written and read by Excel. */
const separatorLine = /^"?sep=([^\r\n])"?[ ;,]{0,9}(?=\r?\n|$)/i

const delimiters = [';', ',', '\t', '|'] as const

/**
 * The separator of the cells of a table. Its first line may declare it (`sep=;`). Otherwise it is the most frequent one
 * outside of quotes.
 * @param text the beginning of the table, with its first line
 */
export function delimiterOf(text: string): string {
  const declared = separatorLine.exec(text)?.[1]
  if (declared !== undefined) return declared
  const [first = ''] = text.trimStart().split('\n', 1)
  const bare = first.replaceAll(/"[^"]*"/g, '')
  const count = (delimiter: string) => bare.split(delimiter).length
  return delimiters.toSorted((a, b) => count(b) - count(a))[0] ?? ';'
}

/** The longest error message, in characters. The cell that it quotes may be the rest of the file. */
const longestProblem = 200

function problemOf({ message }: CsvError): string {
  return message.length <= longestProblem ? message : `${message.slice(0, longestProblem)}…`
}
