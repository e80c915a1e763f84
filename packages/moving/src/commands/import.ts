import { parse as parsePath, resolve } from 'node:path'
import {
  type CommandOutput,
  type Context,
  exitCodes,
  keepHeapSmall,
  type SingleByteEncoding,
  usageError,
  withFeature,
} from '@sav/command/feature'
import { type ImportType, importTypes } from '../import-store.js'
import type { Moving } from '../moving.js'
import { beginImport } from '../run.js'
import { FileImport, type FileOutcome, type RowFields, type RowOutcome, type Source, sourceOf } from './file-import.js'
import { type MappingOptions, mapOf, readMappings, refuseUnknownColumns, typeOf } from './mapping.js'
import { reasonOf } from './reasons.js'
import { why } from './refused-file.js'
import { openRowsFile, type RowsFile } from './rows-file.js'

export interface ImportOptions extends MappingOptions {
  readonly type?: ImportType
  readonly dry_run?: boolean
  readonly errors?: string
  readonly encoding?: SingleByteEncoding
}

/** Imports files in batches. After an interruption, run the same command again. */
export async function importFiles(
  context: Context,
  files: readonly string[],
  options: ImportOptions,
): Promise<CommandOutput> {
  keepHeapSmall()
  if (context.remote !== null) throw usageError('sav import works on the store itself: run it where the store is.')
  const mappings = await readMappings(context.cwd, options)
  const opened: RowsFile[] = []
  for (const file of files) opened.push(await openRowsFile(context.cwd, { file, encoding: options.encoding }))
  // Unknown columns cannot be refused in NDJSON, where not every name is known yet.
  if (opened.every(({ format }) => !format.ndjson))
    refuseUnknownColumns(
      options.map,
      opened.flatMap(({ headings }) => headings),
    )
  const sources: Source[] = []
  for (const rowsFile of opened) {
    const type = options.type ?? typeOf(rowsFile.file, rowsFile.headings, mappings)
    sources.push(sourceOf(rowsFile, type, mappings[type] ?? { columns: {} }))
  }
  const isTrial = options.dry_run === true
  const run = beginImport()
  const importRows = async ({ type }: Source, rows: readonly RowFields[]): Promise<RowOutcome[]> => {
    const { actor, perform, ...opened } = await context.openAccount()
    const sav = withFeature<Moving>(opened.sav)
    const results = isTrial
      ? await sav.imports.tried(actor, { type, rows, run })
      : await perform(sav.writes.imports.rows(actor, { type, rows, run }), null)
    return results.map((each) =>
      each.outcome === 'refused'
        ? { outcome: each.outcome, reasons: each.problems.map(reasonOf) }
        : { ...each, kept: each.kept.map(reasonOf), unusable: (each.unusable ?? []).map(reasonOf) },
    )
  }
  const inOrder = sources.toSorted((a, b) => importTypes.indexOf(a.type) - importTypes.indexOf(b.type))
  const imports = inOrder.map((source) => {
    const errors = options.errors && errorsFile(options.errors, source, sources.length)
    if (errors !== undefined) refuseLoss(context, errors, isTrial ? opened : opened.filter(isExport))
    const command = (file: string) => commandFor(file, source, options)
    return new FileImport(context, source, { importRows: (rows) => importRows(source, rows), isTrial, errors, command })
  })
  const outcomes: FileOutcome[] = []
  for (const each of imports) outcomes.push(await each.run())
  const all = outcomes.map(({ json }) => json)
  const [only] = all
  const text = outcomes.map((each) => each.text).join('\n\n')
  const refused = all.some((counts) => counts.refused > 0)
  return { json: all.length === 1 ? only : all, text, ...(refused && { exitCode: exitCodes.failed }) }
}

/** Whether a file comes from another system, and is not one of refused rows. */
const isExport = ({ headings }: RowsFile): boolean => !headings.includes(why)

/** @throws CommandError if the file for refused rows would replace one of `sources`, which is still needed */
function refuseLoss({ cwd }: Context, errors: string, sources: readonly RowsFile[]): void {
  if (sources.some(({ file }) => resolve(cwd, file) === resolve(cwd, errors)))
    throw usageError(`--errors ${errors}: that file is the one to be imported. Name another one.`)
}

/** The file for the refused rows. With several files, each has its own: `errors-clients.csv`. */
function errorsFile(errors: string, { type }: Source, count: number): string {
  if (count === 1) return errors
  const { dir, name, ext } = parsePath(errors)
  return `${dir === '' ? '' : `${dir}/`}${name}-${type}${ext}`
}

function commandFor(errors: string, { rowsFile, type }: Source, { mapping, map }: ImportOptions): string[] {
  return [
    ...['import', errors, '--type', type],
    ...(mapping === undefined ? [] : ['--mapping', mapping]),
    ...mapOf(map, type, rowsFile.headings).flatMap((pair) => ['--map', pair]),
  ]
}
