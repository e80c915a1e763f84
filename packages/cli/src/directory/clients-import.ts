import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { AddClientInput, UpdateClientInput } from '@sav/core'
import { stringify } from 'csv-stringify/sync'
import { CommandError, usageError } from '../invocation/command-error.js'
import type { Context } from '../invocation/context.js'
import { exitCodes } from '../invocation/exit-codes.js'
import type { Output } from '../invocation/output.js'
import { fileProblem } from '../invocation/system-problem.js'
import { counted } from '../terminal/counted.js'
import { progressLine } from '../terminal/progress-line.js'
import { type ClientLine, type ClientsCsv, readClientsCsv } from './clients-csv.js'
import { Seen } from './duplicates.js'
import { type ReachableDirectory, reachableDirectory } from './reachable-directory.js'

export interface ImportOptions {
  readonly dryRun?: boolean
  readonly duplicates: 'skip' | 'merge' | 'refuse'
  /** A file that gets the bad lines; without it one bad line keeps everybody out. */
  readonly errors?: string
}

/** A batch is one transaction, which holds the store's only writer for some milliseconds. */
const batchSize = 250

const maxShownProblems = 50

type Clients = ReachableDirectory['clients']

/** Somebody of the store, or of an earlier line; null: not added yet. */
interface Known {
  id: number | null
  input: AddClientInput
}

/**
 * Adds the clients of a CSV file. When it is interrupted, the same command again goes on: who is there already is a
 * duplicate.
 */
export async function importClients(context: Context, file: string, options: ImportOptions): Promise<Output> {
  const { dryRun = false, duplicates } = options
  const csv = readClientsCsv(file === '-' ? 'Standard input' : file, await bytesOf(context, file))
  const bad = csv.lines.filter(({ problems }) => problems.length > 0)
  if (bad.length > 0 && options.errors === undefined) throw badLines(file, bad)
  const { clients } = await reachableDirectory(context)
  const plan = planned(
    csv.lines.filter(({ problems }) => problems.length === 0),
    await everybody(context, clients),
  )
  if (duplicates === 'refuse' && plan.again.length > 0) throw badLines(file, plan.again)
  if (options.errors !== undefined && bad.length > 0 && !dryRun)
    await writeBadLines(resolve(context.cwd, options.errors), csv, bad)

  const merged = duplicates === 'merge' ? mergesOf(plan.again) : []
  const ids = dryRun ? [] : await carryOut(context, clients, plan.fresh, merged)
  const json = {
    read: csv.lines.length,
    imported: ids.length,
    skipped: plan.again.length - (dryRun ? 0 : merged.length),
    merged: dryRun ? 0 : merged.length,
    rejected: bad.length,
    ids,
  }
  const notes = [
    plan.again.length > 0
      ? `${counted(plan.again.length, 'duplicate')} ${duplicates === 'merge' ? 'merged' : 'skipped'}`
      : '',
    bad.length > 0
      ? `${counted(bad.length, 'bad line')} left out${dryRun ? '' : `, written to ${options.errors}`}`
      : '',
  ].filter((note) => note !== '')
  const done = dryRun
    ? `${counted(plan.fresh.length, 'client')} would be added`
    : `${counted(ids.length, 'client')} added`
  return { json, text: `${[done, ...notes].join(', ')}.`, ...(bad.length > 0 && { exitCode: exitCodes.failed }) }
}

async function bytesOf({ cwd, stdin }: Context, file: string): Promise<Uint8Array> {
  if (file === '-') return buffer(stdin)
  return readFile(resolve(cwd, file)).catch((error: unknown) => {
    throw usageError(`${file}: ${fileProblem(error)}`)
  })
}

/** Everybody of the store. */
async function everybody(context: Context, clients: Clients): Promise<Seen<Known>> {
  const seen = new Seen<Known>()
  const progress = progressLine(context)
  let read = 0
  for await (const { id, efface_le, whatsapp, nom, prenom, email, telephone, adresse } of clients.each()) {
    const input = { nom, prenom, email, telephone, adresse, whatsapp }
    if (efface_le === null) seen.add(input, { id, input })
    read += 1
    if (read % 1000 === 0) progress.show(`compared: ${read}`)
  }
  progress.clear()
  return seen
}

interface Again extends ClientLine {
  readonly known: Known
}

/** Whom the lines add, and who is known already. */
function planned(lines: readonly ClientLine[], seen: Seen<Known>) {
  const fresh: Known[] = []
  const again: Again[] = []
  for (const line of lines) {
    const known = seen.find(line.input)
    if (known === undefined) {
      const added: Known = { id: null, input: line.input }
      fresh.push(added)
      seen.add(line.input, added)
    } else {
      const who = known.id === null ? 'an earlier line' : `client ${known.id}`
      again.push({ ...line, known, problems: [`${line.input.prenom} ${line.input.nom} is there already: ${who}`] })
    }
  }
  return { fresh, again }
}

interface Merge {
  readonly id: number
  readonly changes: UpdateClientInput
}

/** What duplicates know that is not known yet; nothing that is known changes. Of an earlier line it goes into what that adds. */
function mergesOf(again: readonly Again[]): Merge[] {
  return again.flatMap(({ known, input }) => {
    const { email, telephone, adresse } = input
    const changes = {
      ...(email && !known.input.email && { email }),
      ...(telephone && !known.input.telephone && { telephone }),
      ...(adresse && !known.input.adresse && { adresse }),
    }
    known.input = { ...known.input, ...changes }
    return known.id === null || Object.keys(changes).length === 0 ? [] : [{ id: known.id, changes }]
  })
}

async function carryOut(
  context: Context,
  clients: Clients,
  fresh: readonly Known[],
  merges: readonly Merge[],
): Promise<number[]> {
  const progress = progressLine(context)
  const ids: number[] = []
  for (let from = 0; from < fresh.length; from += batchSize) {
    ids.push(...(await clients.addAll(fresh.slice(from, from + batchSize).map(({ input }) => input))))
    progress.show(`added: ${ids.length} of ${fresh.length}`)
  }
  for (const { id, changes } of merges) await clients.update(id, changes)
  progress.clear()
  return ids
}

/** As they came, with what is wrong with each in a column more: to be mended and imported. */
async function writeBadLines(file: string, { headings, delimiter }: ClientsCsv, bad: readonly ClientLine[]) {
  const rows = bad.map(({ line, cells, problems }) => [...cells, `line ${line}: ${problems.join('; ')}`])
  const options = { delimiter, bom: true, escape_formulas: true }
  await writeFile(file, stringify([[...headings, 'problem'], ...rows], options), { mode: 0o600 })
}

function badLines(file: string, bad: readonly ClientLine[]): CommandError {
  const details = bad.flatMap(({ line, problems }) => problems.map((message) => ({ field: `line ${line}`, message })))
  const shown = details.slice(0, maxShownProblems).map(({ field, message }) => `${field}: ${message}`)
  const more = details.length > maxShownProblems ? [`… and ${details.length - maxShownProblems} more.`] : []
  const message = [`${file}: nobody was added.`, ...shown, ...more].join('\n')
  return new CommandError('bad_csv', message, { exitCode: exitCodes.usage, details })
}
