import { dirname, parse as parsePath, resolve } from 'node:path'
import { beginImport, type ImportOutcome, type ImportRun, type ImportType, importTypes } from '@sav/core/internal'
import type { Context } from '../invocation/context.js'
import { messageOf, usageError } from '../process/command-error.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { keepHeapSmall } from '../process/small-heap.js'
import { imageDataUri } from '../syntax/input-file.js'
import { progressLine } from '../terminal/progress-line.js'
import { fields } from '../terminal/table.js'
import { counted } from '../terminal/terminal.js'
import { fieldsOfHeadings, joined, type MappingOptions, readMappings, typeOf } from './mapping.js'
import type { Mapping } from './mapping-shape.js'
import { RefusedFile } from './refused-file.js'
import { type FileRow, openRowsFile, type RowsFile } from './rows-file.js'

export interface ImportOptions extends MappingOptions {
  readonly type?: ImportType
  readonly dry_run?: boolean
  readonly errors?: string
}

/** What became of the rows of a file. */
interface Counts {
  read: number
  created: number
  updated: number
  unchanged: number
  refused: number
}

/** One transaction, which holds the store's only writer for some milliseconds. */
const batchRows = 200
/** How many bytes of photos, in base64, one transaction takes. */
const batchBytes = 16 << 20

/** Each names one file. */
const fileFields = ['photo_avant', 'photo_apres', 'signature_client'] as const

const shownRows = 3
const shownProblems = 20

/** A file with what its rows are and which column is which field. */
interface Source {
  readonly rowsFile: RowsFile
  readonly type: ImportType
  readonly mapping: Mapping
  /** The field of each heading; null: the column is left out. */
  readonly fieldOf: ReadonlyMap<string, string | null>
}

/** Brings files in, batch by batch: what is interrupted goes on when it is run again. */
export async function importFiles(context: Context, files: readonly string[], options: ImportOptions): Promise<Output> {
  keepHeapSmall()
  if (context.remote !== null) throw usageError('sav import works on the store itself: run it where the store is.')
  const mappings = await readMappings(context.cwd, options)
  const sources: Source[] = []
  for (const file of files) {
    const rowsFile = await openRowsFile(context.cwd, file)
    const type = options.type ?? typeOf(file, rowsFile.headings, mappings)
    const mapping = mappings[type] ?? { columns: {} }
    const found = fieldsOfHeadings(type, rowsFile.headings, mapping)
    const fieldOf = new Map(rowsFile.headings.map((heading, place) => [heading, found[place] ?? null]))
    sources.push({ rowsFile, type, mapping, fieldOf })
  }
  const of = { run: beginImport(), isTrial: options.dry_run === true }
  const told: { readonly counts: Counts; readonly text: string }[] = []
  const inOrder = sources.toSorted((a, b) => importTypes.indexOf(a.type) - importTypes.indexOf(b.type))
  for (const source of inOrder) {
    const errors = options.errors && errorsFile(options.errors, source, sources.length)
    told.push(await new FileImport(context, source, { ...of, errors }).run())
  }
  const all = told.map(({ counts }) => counts)
  const [only] = all
  const text = told.map((each) => each.text).join('\n\n')
  const refused = all.some((counts) => counts.refused > 0)
  return { json: all.length === 1 ? only : all, text, ...(refused && { exitCode: exitCodes.failed }) }
}

/** The file for the refused rows. Of several files each has its own: `errors-clients.csv`. */
function errorsFile(errors: string, { type }: Source, count: number): string {
  if (count === 1) return errors
  const { dir, name, ext } = parsePath(errors)
  return `${dir === '' ? '' : `${dir}/`}${name}-${type}${ext}`
}

interface Importing {
  /** All files are one. */
  readonly run: ImportRun
  readonly isTrial: boolean
  readonly errors: string | undefined
}

class FileImport {
  readonly #context: Context
  readonly #source: Source
  readonly #importing: Importing
  readonly #refused: RefusedFile | null
  readonly #counts: Counts = { read: 0, created: 0, updated: 0, unchanged: 0, refused: 0 }
  readonly #shown: string[] = []
  readonly #problems: string[] = []
  #batch: { readonly row: FileRow; readonly fields: Record<string, unknown> }[] = []
  #bytes = 0

  constructor(context: Context, source: Source, importing: Importing) {
    this.#context = context
    this.#source = source
    this.#importing = importing
    const { errors, isTrial } = importing
    const path = errors === undefined || isTrial ? null : resolve(context.cwd, errors)
    this.#refused = path === null ? null : new RefusedFile(path, source.rowsFile)
  }

  async run(): Promise<{ readonly counts: Counts; readonly text: string }> {
    const { file } = this.#source.rowsFile
    const progress = progressLine(this.#context)
    try {
      for await (const row of this.#source.rowsFile.rows()) {
        this.#counts.read += 1
        const { fields, problem } =
          row.problem === null ? await this.#fieldsOf(row) : { fields: {}, problem: row.problem }
        if (problem !== null) {
          await this.#refuse(row, problem)
          continue
        }
        this.#batch.push({ row, fields })
        if (this.#batch.length >= batchRows || this.#bytes >= batchBytes) {
          await this.#write()
          progress.show(`${file}: ${this.#counts.read} rows`)
        }
      }
      await this.#write()
    } finally {
      progress.clear()
      await this.#refused?.close()
    }
    return { counts: this.#counts, text: this.#told() }
  }

  /** The fields of a row, with the defaults that the file lacks, and photos as they are sent. */
  async #fieldsOf({
    values,
  }: FileRow): Promise<{ readonly fields: Record<string, unknown>; readonly problem: string | null }> {
    const { mapping, fieldOf, rowsFile, type } = this.#source
    const fields: Record<string, unknown> = { ...mapping.defaults }
    const told = new Set<string>()
    for (const [heading, value] of Object.entries(values)) {
      const known = fieldOf.get(heading)
      const field = known === undefined ? (fieldsOfHeadings(type, [heading], mapping)[0] ?? null) : known
      if (field === null || value === '' || value === null) continue
      const before = joined.has(field) && told.has(field) ? `${fields[field]}\n` : null
      fields[field] = before === null ? value : `${before}${value}`
      told.add(field)
    }
    const at = dirname(resolve(this.#context.cwd, rowsFile.file))
    try {
      for (const field of fileFields) {
        if (fields[field] !== undefined) fields[field] = await this.#photo(at, String(fields[field]))
      }
      const { photos } = fields
      if (photos === undefined) return { fields, problem: null }
      const named = Array.isArray(photos) ? photos.map(String) : String(photos).split(/[|\n]/)
      const sent: string[] = []
      for (const each of named) if (each.trim() !== '') sent.push(await this.#photo(at, each.trim()))
      return { fields: { ...fields, photos: sent }, problem: null }
    } catch (error) {
      return { fields, problem: messageOf(error) }
    }
  }

  async #photo(cwd: string, photo: string): Promise<string> {
    if (/^(https?:|data:)/.test(photo)) return photo
    const sent = await imageDataUri({ ...this.#context, cwd }, 'photos', photo)
    this.#bytes += sent.length
    return sent
  }

  async #write(): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#bytes = 0
    if (batch.length === 0) return
    const { type } = this.#source
    const { sav, actor, perform } = await this.#context.openAccount()
    const rows = batch.map(({ fields }) => fields)
    const { run, isTrial } = this.#importing
    const outcomes = isTrial
      ? await sav.imports.tried(actor, { type, rows, run })
      : await perform(sav.writes.imports.rows(actor, { type, rows, run }), null)
    for (const [place, outcome] of outcomes.entries()) {
      const row = batch[place]?.row
      if (row !== undefined) await this.#settle(row, outcome)
    }
  }

  async #settle(row: FileRow, outcome: ImportOutcome): Promise<void> {
    if (outcome.outcome === 'refused') {
      const problem = outcome.problems.map(({ field, message }) => `${field} ${message}`).join('; ')
      await this.#refuse(row, problem)
      return
    }
    this.#counts[outcome.outcome] += 1
    if (this.#shown.length < shownRows) this.#shown.push(shownRow(this.#context, outcome.row))
  }

  async #refuse(row: FileRow, problem: string): Promise<void> {
    this.#counts.refused += 1
    if (this.#problems.length < shownProblems) this.#problems.push(`  line ${row.line}: ${problem}`)
    await this.#refused?.add(row, problem)
  }

  #told(): string {
    const { rowsFile, type, fieldOf } = this.#source
    const { isTrial, errors } = this.#importing
    const { read, created, updated, unchanged, refused } = this.#counts
    const would = isTrial ? 'would be ' : ''
    const left = [...fieldOf].flatMap(([heading, field]) => (field === null && heading !== 'problem' ? [heading] : []))
    const lines = [
      `${rowsFile.file}: ${counted(read, 'row')} of ${type}: ${created} ${would}created, ${updated} ${would}updated, ${unchanged} unchanged, ${refused} refused.`,
    ]
    if (left.length > 0) lines.push(`Columns left out: ${left.map((heading) => JSON.stringify(heading)).join(', ')}.`)
    if (isTrial && this.#shown.length > 0) lines.push('The first rows:', this.#shown.join('\n\n'))
    if (refused > 0) lines.push('Refused:', ...this.#problems)
    if (refused > this.#problems.length) lines.push(`  … and ${refused - this.#problems.length} more.`)
    if (refused > 0 && !isTrial)
      lines.push(
        errors === undefined
          ? 'With --errors FILE the refused rows are written there, to be mended and imported again.'
          : `The refused rows are in ${errors}: mend them there, and import that file in the same way.`,
      )
    return lines.join('\n')
  }
}

function shownRow(context: Context, row: Readonly<Record<string, unknown>>): string {
  const told = Object.entries(row).filter(([, value]) => value !== null && value !== '' && String(value) !== '')
  return fields(
    context.terminal,
    told.map(([field, value]) => [
      `  ${field}`,
      typeof value === 'object' ? JSON.stringify(value).slice(0, 60) : String(value),
    ]),
  )
}
