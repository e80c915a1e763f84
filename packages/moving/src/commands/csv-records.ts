import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { usageError } from '@sav/command/feature'
import { CsvError, type InfoRecord, parse } from 'csv-parse'
import { longestLine } from './whole-lines.js'

export interface CsvRecord {
  /** On which it begins, counted from 1. */
  readonly line: number
  readonly record: string[]
}

export interface CsvFile {
  /** For what is wrong with it. */
  readonly name: string
  readonly delimiter: string
}

/**
 * The records of a table as they come, without those of empty cells.
 * @param texts whole lines
 * @throws CommandError where it goes on as no such table
 */
export async function* csvRecords(
  { name, delimiter }: CsvFile,
  texts: AsyncIterable<string>,
): AsyncGenerator<CsvRecord, undefined> {
  const parser = parse({
    delimiter,
    bom: true,
    // Also of empty cells alone, as spreadsheets leave them by the thousand.
    skip_records_with_empty_values: true,
    skip_empty_lines: true,
    trim: true,
    relax_column_count: true,
    // Within a cell that does not begin with one they are taken as they are.
    relax_quotes: true,
    info: true,
    // Also of a text whose closing quote is missing.
    max_record_size: longestLine,
  })
  // The loop reports what breaks it.
  pipeline(Readable.from(withLineFeeds(texts)), parser).catch(() => {})
  try {
    let before = 0
    for await (const { info, record } of parser as AsyncIterable<{ info: InfoRecord; record: string[] }>) {
      // The parser counts to the line on which a record ends.
      const within = info.lines - before > 1 ? record.join('').split('\n').length - 1 : 0
      before = info.lines
      yield { line: info.lines - within, record }
    }
  } catch (error) {
    if (error instanceof CsvError) throw usageError(`${name}: ${problemOf(error)}`)
    throw error
  }
}

/** Within quotes the parser counts a CRLF as two lines. */
async function* withLineFeeds(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const text of texts) {
    const lines = text.replaceAll('\r\n', '\n')
    // The line stays, so that the others keep their numbers.
    yield isFirst ? lines.replace(separatorLine, '') : lines
    isFirst = false
  }
}

/** What Excel writes, and reads, as a first line. */
const separatorLine = /^"?sep=([^\r\n])"?[ ;,]{0,9}(?=\r?\n|$)/i

const delimiters = [';', ',', '\t', '|'] as const

/**
 * What separates the cells of a table: as its first line `sep=;` says, else what stands most often in it outside of quotes.
 * @param text with its first line
 */
export function delimiterOf(text: string): string {
  const said = separatorLine.exec(text)?.[1]
  if (said !== undefined) return said
  const [first = ''] = text.trimStart().split('\n', 1)
  const bare = first.replaceAll(/"[^"]*"/g, '')
  const count = (delimiter: string) => bare.split(delimiter).length
  return delimiters.toSorted((a, b) => count(b) - count(a))[0] ?? ';'
}

/** The cell that the parser met may be the rest of the file. */
const longestProblem = 200

function problemOf({ message }: CsvError): string {
  return message.length <= longestProblem ? message : `${message.slice(0, longestProblem)}…`
}
