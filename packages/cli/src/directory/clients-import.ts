import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type AddClientInput, addClientInput, type FieldProblem } from '@sav/core'
import { CsvError, parse } from 'csv-parse/sync'
import { CommandError, usageError } from '../invocation/command-error.js'
import type { Context } from '../invocation/context.js'
import { exitCodes } from '../invocation/exit-codes.js'
import type { Output } from '../invocation/output.js'
import { fileProblem } from '../invocation/system-problem.js'
import { counted } from '../terminal/counted.js'

const columns = ['nom', 'prenom', 'email', 'telephone', 'adresse', 'whatsapp']

/** One transaction holds the store's only writer, so it must not last for seconds. */
const maxClients = 10_000

const maxShownProblems = 50

/** Adds every client of a CSV file in one transaction; not one of them when a line is bad. */
export async function importClients(
  context: Context,
  file: string,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<Output> {
  const { sav, storage, actor } = await context.openAccount()
  const rows = readRows(await readText(resolve(context.cwd, file)), file)
  const inputs: AddClientInput[] = []
  const problems: FieldProblem[] = []
  for (const { line, cells } of rows) {
    const { input, found } = readClient(cells)
    for (const message of found) problems.push({ field: `line ${line}`, message })
    inputs.push(input)
  }
  if (problems.length > 0) throw badLines(file, problems)
  if (dryRun)
    return { json: { read: inputs.length, imported: 0, ids: [] }, text: `${counted(inputs.length, 'line')}, all good.` }

  const ids = await storage.db.transaction().execute(async (trx) => {
    const { clients } = sav.inTransaction(storage.inTransaction(trx)).directory
    const added: number[] = []
    for (const input of inputs) added.push((await clients.add(actor, input)).id)
    return added
  })
  return { json: { read: inputs.length, imported: ids.length, ids }, text: `${counted(ids.length, 'client')} added.` }
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw usageError(`${file}: ${fileProblem(error)}`)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw usageError(`${file} is not UTF-8: save it as "CSV UTF-8".`)
  }
}

type Cells = ReadonlyMap<string, string>

/** Each line under the headings of the first one. */
function readRows(text: string, file: string): { readonly line: number; readonly cells: Cells }[] {
  const [heading = ''] = text.split('\n', 1)
  const read: { line: number; record: string[] }[] = []
  try {
    parse(text, {
      // Spreadsheets in French write semicolons.
      delimiter: heading.includes(';') ? ';' : ',',
      skip_empty_lines: true,
      trim: true,
      relax_column_count: true,
      on_record: (record: string[], { lines }) => {
        read.push({ line: lines, record })
        return null
      },
    })
  } catch (error) {
    if (error instanceof CsvError) throw usageError(`${file}: ${error.message}`)
    throw error
  }
  const [first, ...rest] = read
  const names = first?.record.map((name) => name.toLowerCase()) ?? []
  const unknown = names.filter((name, index) => !columns.includes(name) || names.indexOf(name) !== index)
  const missing = ['nom', 'prenom'].filter((name) => !names.includes(name))
  if (unknown.length > 0 || missing.length > 0) {
    const found = names.map((name) => JSON.stringify(name)).join(', ') || 'nothing'
    throw usageError(`${file}: the first line must name the columns, ${columns.join(', ')}; found ${found}.`)
  }
  if (rest.length > maxClients)
    throw usageError(`${file} has ${rest.length} clients: split it into files of at most ${maxClients}.`)
  return rest.map(({ line, record }) => ({
    line,
    cells: new Map(record.length > names.length ? [] : names.map((name, index) => [name, record[index] ?? ''])),
  }))
}

const yesOrNo: Readonly<Record<string, boolean>> = {
  '': false,
  '0': false,
  non: false,
  no: false,
  false: false,
  faux: false,
  '1': true,
  oui: true,
  yes: true,
  true: true,
  vrai: true,
}

function readClient(cells: Cells): { readonly input: AddClientInput; readonly found: string[] } {
  const text = (name: string) => cells.get(name) || undefined
  const whatsapp = yesOrNo[cells.get('whatsapp')?.toLowerCase() ?? '']
  const input = {
    nom: cells.get('nom') ?? '',
    prenom: cells.get('prenom') ?? '',
    email: text('email'),
    telephone: text('telephone'),
    adresse: text('adresse'),
    whatsapp,
  }
  if (cells.size === 0) return { input, found: ['more cells than the first line has columns'] }
  const found =
    addClientInput.safeParse(input).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []
  if (whatsapp === undefined) found.push(`whatsapp must be oui or non (found ${cells.get('whatsapp')})`)
  return { input, found }
}

function badLines(file: string, problems: readonly FieldProblem[]): CommandError {
  const shown = problems.slice(0, maxShownProblems).map(({ field, message }) => `${field}: ${message}`)
  const more = problems.length > maxShownProblems ? [`… and ${problems.length - maxShownProblems} more.`] : []
  const message = [`${file}: nobody was added.`, ...shown, ...more].join('\n')
  return new CommandError('bad_csv', message, { exitCode: exitCodes.usage, details: problems })
}
