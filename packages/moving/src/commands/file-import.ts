import { dirname, resolve } from 'node:path'
import { type Context, counted, fields, imageBelow, messageOf, progressLine, shellWord } from '@sav/command/feature'
import { usualBeginning } from '@sav/planning/feature'
import type { ImportType } from '../import-store.js'
import { isDateAlone } from '../written.js'
import { fieldsOfHeadings, joined, sameWord, wordsOf } from './mapping.js'
import type { Mapping } from './mapping-shape.js'
import { type Reason, Reasons } from './reasons.js'
import { RefusedFile, why } from './refused-file.js'
import type { FileRow, RowsFile } from './rows-file.js'

/** How many rows of a file had each outcome. */
interface Counts {
  read: number
  created: number
  updated: number
  /** Rows that differ from the store, but only in what an import does not change. */
  kept: number
  unchanged: number
  refused: number
}

/** How many rows one transaction takes. It occupies the store's only writer for some milliseconds. */
const batchRows = 200
/** How many bytes of photos, in base64, one transaction takes. */
const batchBytes = 16 << 20

/** The fields that name one file each. */
const fileFields = ['photo_avant', 'photo_apres', 'signature_client'] as const

const shownRows = 3

/** A file with the type of its rows, and the field of each column. */
export interface Source {
  readonly rowsFile: RowsFile
  readonly type: ImportType
  readonly mapping: Mapping
  /** The field of each heading; null: the column is ignored. */
  readonly fieldOf: ReadonlyMap<string, string | null>
  /**
   * For each field, our word for each word of the other system. The other system's words are in the form of `sameWord`.
   */
  readonly wordsOf: ReadonlyMap<string, ReadonlyMap<string, string>>
}

export function sourceOf(rowsFile: RowsFile, type: ImportType, mapping: Mapping): Source {
  const found = fieldsOfHeadings(type, rowsFile.headings, mapping)
  const fieldOf = new Map(rowsFile.headings.map((heading, place) => [heading, found[place] ?? null]))
  return { rowsFile, type, mapping, fieldOf, wordsOf: wordsOf(mapping) }
}

/** The fields of a row, as the core's import reads them. */
export type RowFields = Readonly<Record<string, unknown>>

/** The outcome of a row. */
export type RowOutcome =
  | {
      readonly outcome: 'created' | 'updated' | 'kept' | 'unchanged'
      readonly row: RowFields
      readonly kept: readonly Reason[]
      readonly unusable: readonly Reason[]
    }
  | { readonly outcome: 'refused'; readonly reasons: readonly Reason[] }

export interface FileImportOptions {
  /** Writes rows. Resolves to the result of each, in order. */
  readonly importRows: (rows: readonly RowFields[]) => Promise<readonly RowOutcome[]>
  readonly isTrial: boolean
  /** The file for refused rows. */
  readonly errors: string | undefined
  /** The arguments of the command that imports such a file of refused rows. */
  readonly command: (errors: string) => readonly string[]
}

/** The outcome of a file, for programs and for people. */
export interface FileOutcome {
  readonly json: Counts & {
    readonly reasons: readonly (ReturnType<Reasons['list']>[number] & {
      readonly outcome: 'refused' | 'kept' | 'unusable'
    })[]
    /** The headings that match no field. */
    readonly columns_left_out: readonly string[]
  }
  readonly text: string
}

/** A row to be imported. */
interface IncomingRow {
  readonly row: FileRow
  readonly fields: RowFields
  /** Why the row is refused; null: it is not. */
  readonly problem: Reason | null
}

/** Reads the rows of a file, passes them on in batches, and counts their outcomes. */
export class FileImport {
  readonly #context: Context
  readonly #source: Source
  readonly #importing: FileImportOptions
  readonly #refused: RefusedFile | null
  readonly #counts: Counts = { read: 0, created: 0, updated: 0, kept: 0, unchanged: 0, refused: 0 }
  readonly #shown: string[] = []
  readonly #reasons = { refused: new Reasons(), kept: new Reasons(), unusable: new Reasons() }
  readonly #leftOut: Set<string>
  #withoutTime = 0
  #batch: IncomingRow[] = []
  #bytes = 0

  constructor(context: Context, source: Source, importing: FileImportOptions) {
    this.#context = context
    this.#source = source
    this.#importing = importing
    const { errors } = importing
    this.#leftOut = new Set([...source.fieldOf].flatMap(([heading, field]) => (field === null ? [heading] : [])))
    this.#refused = errors === undefined ? null : new RefusedFile(resolve(context.cwd, errors), source.rowsFile)
  }

  async run(): Promise<FileOutcome> {
    const { file } = this.#source.rowsFile
    const progress = progressLine(this.#context)
    try {
      for await (const row of this.#source.rowsFile.rows()) {
        this.#counts.read += 1
        this.#batch.push(await this.#read(row))
        if (this.#batch.length >= batchRows || this.#bytes >= batchBytes) {
          await this.#write()
          progress.show(`${file}: ${this.#counts.read} rows`)
        }
      }
      await this.#write()
      await this.#refused?.finish()
    } finally {
      progress.clear()
      await this.#refused?.close()
    }
    const reasons = (['refused', 'kept', 'unusable'] as const).flatMap((outcome) =>
      this.#reasons[outcome].list().map((reason) => ({ outcome, ...reason })),
    )
    this.#leftOut.delete(why)
    return { json: { ...this.#counts, columns_left_out: [...this.#leftOut], reasons }, text: this.#summary() }
  }

  /** The row, with defaults for the fields that the file leaves out, and with the contents of photos. */
  async #read(row: FileRow): Promise<IncomingRow> {
    const wrong = (text: string, general = text): IncomingRow => ({ row, fields: {}, problem: { text, general } })
    if (row.problem !== null) return wrong(row.problem)
    const { mapping } = this.#source
    let last: string | null = null
    const photo = (name: string) => {
      last = name
      return this.#photo(name)
    }
    try {
      const fields = { ...mapping.defaults, ...this.#columns(row) }
      for (const field of fileFields)
        if (fields[field] !== undefined) fields[field] = await photo(String(fields[field]))
      const { photos } = fields
      if (photos !== undefined) {
        const named = Array.isArray(photos) ? photos.map(String) : String(photos).split(/[|\n]/)
        const all: string[] = []
        for (const each of named) if (each.trim() !== '') all.push(await photo(each.trim()))
        fields['photos'] = all
      }
      return { row, fields: mapping.row?.(fields) ?? fields, problem: null }
    } catch (error) {
      const message = messageOf(error)
      return wrong(message, last === null ? message : message.replaceAll(last, '…'))
    }
  }

  /** The fields of a row by its columns. */
  #columns({ values }: FileRow): Record<string, unknown> {
    const { mapping, fieldOf, type } = this.#source
    const fields: Record<string, unknown> = {}
    for (const [heading, cell] of Object.entries(values)) {
      const known = fieldOf.get(heading)
      const field = known === undefined ? (fieldsOfHeadings(type, [heading], mapping)[0] ?? null) : known
      if (field === null) {
        this.#leftOut.add(heading)
        continue
      }
      const value = typeof cell === 'string' ? this.#meant(field, mapping.cell?.(cell) ?? cell) : cell
      if (value === '' || value === null) continue
      const before = joined.has(field) ? fields[field] : undefined
      fields[field] = before === undefined ? value : `${before}\n${value}`
    }
    return fields
  }

  /** Our word for the text of a cell. */
  #meant(field: string, text: string): string {
    return this.#source.wordsOf.get(field)?.get(sameWord(text)) ?? text
  }

  /** A link, or a file below the folder of the imported file. */
  async #photo(cell: string): Promise<string> {
    if (/^(https?:|data:)/.test(cell)) return cell
    const { file } = this.#source.rowsFile
    const folder = { path: dirname(resolve(this.#context.cwd, file)), name: `the folder of ${file}` }
    // Windows writes paths with backslashes.
    const sent = await imageBelow(folder, 'photos', cell.replaceAll('\\', '/'))
    this.#bytes += sent.length
    return sent
  }

  async #write(): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#bytes = 0
    const rows = batch.flatMap(({ fields, problem }) => (problem === null ? [fields] : []))
    const outcomes = rows.length === 0 ? [] : await this.#importing.importRows(rows)
    let next = 0
    for (const { row, fields, problem } of batch) {
      const outcome = problem === null ? outcomes[next++] : undefined
      if (problem !== null) await this.#refuse(row, [problem])
      else if (outcome !== undefined) await this.#settle(row, fields, outcome)
    }
  }

  async #settle(row: FileRow, fields: IncomingRow['fields'], outcome: RowOutcome): Promise<void> {
    if (outcome.outcome === 'refused') {
      await this.#refuse(row, outcome.reasons)
      return
    }
    this.#counts[outcome.outcome] += 1
    this.#reasons.kept.add(row.line, outcome.kept)
    this.#reasons.unusable.add(row.line, outcome.unusable)
    const isWritten = outcome.outcome === 'created' || outcome.outcome === 'updated'
    if (isWritten && this.#source.type === 'visits' && isDateAlone(String(fields['debut']).trim()))
      this.#withoutTime += 1
    if (this.#shown.length < shownRows) this.#shown.push(shownRow(this.#context, outcome.row))
  }

  async #refuse(row: FileRow, reasons: readonly Reason[]): Promise<void> {
    this.#counts.refused += 1
    this.#reasons.refused.add(row.line, reasons)
    await this.#refused?.add(row, reasons.map(({ text }) => text).join('; '))
  }

  #summary(): string {
    const { rowsFile, type } = this.#source
    const { isTrial } = this.#importing
    const { read, created, updated, kept, unchanged, refused } = this.#counts
    const would = isTrial ? 'would be ' : ''
    const left = [...this.#leftOut]
    const stay = kept === 0 ? '' : `${kept} kept, `
    const lines = [
      `${rowsFile.file}: ${counted(read, 'row')} of ${type}: ${created} ${would}created, ${updated} ${would}updated, ${stay}${unchanged} unchanged, ${refused} refused.`,
    ]
    lines.push(...rowsFile.notes)
    if (left.length > 0) lines.push(`Columns ignored: ${left.map((heading) => JSON.stringify(heading)).join(', ')}.`)
    if (this.#withoutTime > 0)
      lines.push(`${counted(this.#withoutTime, 'visit')} without a time of day: set to begin at ${usualBeginning}.`)
    if (isTrial && this.#shown.length > 0) lines.push('The first rows:', this.#shown.join('\n\n'))
    lines.push(...this.#reasons.kept.table('Not changed, although the file differs:'))
    lines.push(...this.#reasons.unusable.table('Imported as written, but in need of correction:'))
    lines.push(...this.#reasons.refused.table('Refused:'))
    if (refused > 0) lines.push(...this.#afterwards())
    return lines.join('\n')
  }

  /** What to do about the refused rows. */
  #afterwards(): string[] {
    const { isTrial, errors } = this.#importing
    if (isTrial) return errors === undefined ? [] : [`The rows that would be refused are in ${errors}.`]
    if (errors === undefined)
      return ['With --errors FILE, the refused rows are written to that file, to be corrected and imported again.']
    return [`The refused rows are in ${errors}: correct them there, then run`, `  ${this.#commandFor(errors)}`]
  }

  /** The command that imports a file of refused rows with the same options. */
  #commandFor(errors: string): string {
    const { accountGiven, account, settings } = this.#context
    const store = settings.inForce.find(({ name, from }) => name === 'SAV_DATABASE' && from.startsWith('--'))
    const words = [
      'sav',
      ...(accountGiven ? ['--account', account] : []),
      ...(store === undefined ? [] : [store.from, store.value]),
      ...this.#importing.command(errors),
      ...['--errors', errors],
    ]
    return words.map(shellWord).join(' ')
  }
}

function shownRow(context: Context, row: Readonly<Record<string, unknown>>): string {
  const filled = Object.entries(row).filter(([, value]) => value !== null && value !== '' && String(value) !== '')
  return fields(
    context.terminal,
    filled.map(([field, value]) => [
      `  ${field}`,
      typeof value === 'object' ? JSON.stringify(value).slice(0, 60) : String(value),
    ]),
  )
}
