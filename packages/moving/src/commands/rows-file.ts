import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileProblem, type SingleByteEncoding, shellWord, usageError } from '@sav/command/feature'
import { csvRecords, delimiterOf } from './csv-records.js'
import { openText, readAs } from './text-file.js'

/** A row in the file. */
export interface FileRow {
  /** Counted from 1. */
  readonly line: number
  /** The values by the headings of CSV, or by the names of NDJSON. */
  readonly values: Readonly<Record<string, unknown>>
  /** Why this part of the file is not a row; null: it is one. */
  readonly problem: string | null
}

/** A file of rows, which is read row by row. */
export interface RowsFile {
  readonly file: string
  readonly format: { readonly ndjson: true } | { readonly ndjson: false; readonly delimiter: string }
  readonly headings: readonly string[]
  /** Remarks about the whole file. */
  readonly notes: readonly string[]
  rows(): AsyncIterable<FileRow>
}

/** CSV or NDJSON, depending on its first line. @throws CommandError if it cannot be read */
export async function openRowsFile(
  cwd: string,
  {
    file: path,
    name: file = path,
    encoding,
  }: {
    readonly file: string
    /** The name of the file in error messages. */
    readonly name?: string
    readonly encoding: SingleByteEncoding | undefined
  },
): Promise<RowsFile> {
  const whole = resolve(cwd, path)
  const found = await stat(whole).catch((error: unknown) => {
    throw usageError(`${file}: ${fileProblem(error)}`)
  })
  if (found.isDirectory())
    throw usageError(`${file}: it is a directory. Name its files: ${shellWord(file.replace(/\/{1,9}$/, ''))}/*.ndjson`)
  const text = await openText({ name: file, open: () => createReadStream(whole), encoding })
  const texts = () => text.lines()
  const notes = readAs(text)
  const first = await firstLine(texts())
  if (first.trimStart().startsWith('{')) {
    const headings = new Set<string>()
    let read = 0
    for await (const { values } of jsonRows(texts())) {
      for (const name of Object.keys(values)) headings.add(name)
      // 100 rows are enough to recognise the type. Names that appear later are handled row by row.
      read += 1
      if (read >= 100) break
    }
    return { file, format: { ndjson: true }, headings: [...headings], notes, rows: () => jsonRows(texts()) }
  }
  const delimiter = delimiterOf(first)
  const records = csvRecords({ name: file, delimiter }, texts())
  const { value } = await records.next()
  await records.return(undefined)
  const headings = headingsOf(value?.record ?? [])
  if (headings.length === 0) throw usageError(`${file}: it is empty.`)
  return { file, format: { ndjson: false, delimiter }, headings, notes, rows: () => csvRows(file, delimiter, texts()) }
}

async function firstLine(texts: AsyncGenerator<string, undefined>): Promise<string> {
  for await (const text of texts) {
    const line = text.split(/\r?\n/).find((each) => each.trim() !== '')
    if (line !== undefined) return line
  }
  return ''
}

/** Columns with the same name are distinguished by position. */
function headingsOf(cells: readonly string[]): string[] {
  const times = new Map<string, number>()
  return cells.map((cell) => {
    const before = times.get(cell) ?? 0
    times.set(cell, before + 1)
    return before === 0 ? cell : `${cell} (${before + 1})`
  })
}

async function* csvRows(file: string, delimiter: string, texts: AsyncIterable<string>): AsyncGenerator<FileRow> {
  let headings: string[] | null = null
  for await (const { line, record } of csvRecords({ name: file, delimiter }, texts)) {
    if (headings === null) {
      headings = headingsOf(record)
      continue
    }
    const names = headings
    const values = Object.fromEntries(names.map((name, place) => [name, unescaped(record[place] ?? '')]))
    const more = record.slice(names.length).some((cell) => cell !== '')
    yield { line, values, problem: more ? 'it has more cells than the first line has columns' : null }
  }
}

/** Removes the quote that files of refused rows have before text that a spreadsheet would take for a formula. */
const unescaped = (cell: string) => cell.replace(/^'(?=[=+\-@])/, '')

async function* jsonRows(texts: AsyncIterable<string>): AsyncGenerator<FileRow> {
  let line = 0
  for await (const text of texts) {
    for (const each of text.split('\n')) {
      line += 1
      if (each.trim() === '') continue
      try {
        const values = JSON.parse(each)
        const isObject = typeof values === 'object' && values !== null && !Array.isArray(values)
        yield { line, values: isObject ? values : {}, problem: isObject ? null : 'it is not a JSON object' }
      } catch {
        yield { line, values: {}, problem: 'it is not JSON' }
      }
    }
    // A block ends with a line feed, and the empty text after it is not a line.
    line -= 1
  }
}
