import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { AddClientInput, ClientView, UpdateClientInput, Write } from '@sav/core'
import { preparedWrite } from '@sav/core/internal'
import type { SavClient } from '@sav/http-node/client'
import { stringify } from 'csv-stringify/sync'
import type { Context } from '../invocation/context.js'
import { CommandError, usageError } from '../process/command-error.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { keepHeapSmall } from '../process/small-heap.js'
import { fileProblem } from '../process/system-problem.js'
import { inUnfinishedFile } from '../process/whole-file.js'
import type { SingleByteEncoding } from '../syntax/encoding.js'
import { progressLine } from '../terminal/progress-line.js'
import { counted } from '../terminal/terminal.js'
import { type ClientLine, type ClientsCsv, readClientsCsv } from './clients-csv.js'
import { type Contact, ContactIndex } from './duplicates.js'
import { openText, readAs } from './text-file.js'
import { wholeLines } from './whole-lines.js'

export interface ImportOptions {
  readonly dry_run?: boolean
  readonly duplicates: 'skip' | 'merge' | 'refuse'
  /** A file that gets the bad lines; without it one bad line keeps everybody out. */
  readonly errors?: string
  readonly encoding?: SingleByteEncoding
}

/** A batch is one transaction, which holds the store's only writer for some milliseconds. */
const batchSize = 250

const maxShownProblems = 50

/** A file, read from its beginning each time. */
type OpenCsv = () => Promise<ClientsCsv>

/**
 * Adds the clients of a CSV file, which is read twice, as it comes: what is wrong with it is known before anybody is added.
 * When it is interrupted, the same command again goes on: who is there already is a duplicate.
 */
export async function importClients(context: Context, file: string, options: ImportOptions): Promise<Output> {
  keepHeapSmall()
  const name = file === '-' ? 'Standard input' : file
  const path = resolve(context.cwd, file)
  const found = file === '-' ? null : await stat(path).catch(unreadable(file))
  if (found?.isDirectory()) throw usageError(`${file}: it is a directory: name a file in it.`)
  const importFrom = async (path: string) => {
    const source = { name, open: () => createReadStream(path), encoding: options.encoding }
    const text = await openText(source).catch(unreadable(file))
    const notes = readAs(text)
    return importTwice(context, { file, notes, ...options }, () => readClientsCsv(name, text.lines()))
  }
  if (found?.isFile()) return importFrom(path)
  // What comes but once is kept meanwhile.
  return inUnfinishedFile(join(tmpdir(), 'sav-import.csv'), async (kept) => {
    const coming = file === '-' ? context.stdin() : createReadStream(path)
    await writeFile(kept, wholeLines(name, coming)).catch(unreadable(file))
    return importFrom(kept)
  })
}

interface ImportRequest extends ImportOptions {
  readonly file: string
  /** What is to be said of it as a whole. */
  readonly notes: readonly string[]
}

async function importTwice(context: Context, importing: ImportRequest, read: OpenCsv): Promise<Output> {
  const { file, duplicates, dry_run = false } = importing
  const bad = new Problems()
  const checked = await read().catch(unreadable(file))
  const leftOut = new Problems()
  await forEach(checked.lines, file, (line) => {
    bad.add(line)
    leftOut.add({ line: line.line, problems: line.leftOut })
  })
  if (bad.lines > 0 && importing.errors === undefined) throw badLines(file, bad)
  const api = await context.api()
  const people = await everybody(context, api)
  if (duplicates === 'refuse') {
    const again = new Problems()
    await forEach((await read()).lines, file, (line) => again.add(duplicateOf(line, people)))
    if (again.lines > 0) throw badLines(file, again)
  }
  // All of the file were just looked for: none of them is in the store.
  const before = duplicates === 'refuse' ? new People() : people
  const done = await carryOut(context, { api, people: before, importing, csv: await read(), bad })
  const { again, ids, merged, fresh } = done
  const json = {
    ...{ read: done.read, imported: ids.length, skipped: again - merged, merged, rejected: bad.lines, ids },
    left_out: leftOut.first,
  }
  const notes = [
    again > 0 ? `${counted(again, 'duplicate')} ${duplicates === 'merge' ? 'merged' : 'skipped'}` : '',
    bad.lines > 0
      ? `${counted(bad.lines, 'bad line')} left out${dry_run ? '' : `, written to ${importing.errors}`}`
      : '',
  ].filter((note) => note !== '')
  const added = dry_run ? `${counted(fresh, 'client')} would be added` : `${counted(ids.length, 'client')} added`
  const text = [`${[added, ...notes].join(', ')}.`, ...importing.notes, ...leftOut.told('Left out, to be corrected:')]
  return { json, text: text.join('\n'), ...(bad.lines > 0 && { exitCode: exitCodes.failed }) }
}

const unreadable =
  (file: string) =>
  (error: unknown): never => {
    throw error instanceof CommandError ? error : usageError(`${file}: ${fileProblem(error)}`)
  }

async function forEach(lines: AsyncIterable<ClientLine>, file: string, look: (line: ClientLine) => void) {
  try {
    for await (const line of lines) look(line)
  } catch (error) {
    unreadable(file)(error)
  }
}

/** What is wrong with lines: how many they are, and what the first of them say. */
class Problems {
  lines = 0
  count = 0
  readonly first: { readonly field: string; readonly message: string }[] = []

  add({ line, problems }: Pick<ClientLine, 'line' | 'problems'>): void {
    if (problems.length === 0) return
    this.lines += 1
    this.count += problems.length
    for (const message of problems)
      if (this.first.length < maxShownProblems) this.first.push({ field: `line ${line}`, message })
  }

  /** The first of them under their title; no lines where there are none. */
  told(title: string): string[] {
    const shown = this.first.map(({ field, message }) => `${field}: ${message}`)
    const more = this.count > shown.length ? [`… and ${this.count - shown.length} more.`] : []
    return shown.length === 0 ? [] : [title, ...shown, ...more]
  }
}

const completed = ['email', 'telephone', 'adresse'] as const

/** Everybody of the store, and of the lines that were read: what is kept of each while a file is read. */
class People {
  readonly #seen = new ContactIndex()
  readonly #ids: number[] = []
  readonly #missing: number[] = []

  /** @returns the person's number here; undefined: not seen before */
  find(contact: Contact): number | undefined {
    return this.#seen.find(contact)
  }

  /** @param id of the client; 0: not added yet */
  add(contact: Contact, id: number): number {
    const missing = completed.reduce((bits, field, bit) => (contact[field] ? bits : bits | (1 << bit)), 0)
    this.#missing.push(missing)
    const who = this.#ids.push(id)
    this.#seen.add(contact, who)
    return who
  }

  get count(): number {
    return this.#ids.length
  }

  idOf(who: number): number {
    return this.#ids[who - 1] ?? 0
  }

  wasAdded(who: number, id: number): void {
    this.#ids[who - 1] = id
  }

  /** What a duplicate knows that was not known yet, and is from now on. */
  complete(who: number, contact: Contact): UpdateClientInput {
    const missing = this.#missing[who - 1] ?? 0
    const told = completed.filter((field, bit) => (missing & (1 << bit)) !== 0 && contact[field])
    this.#missing[who - 1] = told.reduce((bits, field) => bits & ~(1 << completed.indexOf(field)), missing)
    return Object.fromEntries(told.map((field) => [field, contact[field]]))
  }
}

async function everybody(context: Context, api: SavClient): Promise<People> {
  const people = new People()
  const progress = progressLine(context)
  let read = 0
  for await (const client of api.each('/api/v1/clients', { query: { limite: 200 } })) {
    if (client.efface_le === null) people.add(client, client.id)
    read += 1
    if (read % 1000 === 0) progress.show(`compared: ${read}`)
  }
  progress.clear()
  return people
}

/** The line, with a problem where the person is there already. */
function duplicateOf({ line, input, problems }: ClientLine, people: People): Pick<ClientLine, 'line' | 'problems'> {
  if (problems.length > 0) return { line, problems: [] }
  const before = people.find(input)
  if (before === undefined) {
    people.add(input, 0)
    return { line, problems: [] }
  }
  const id = people.idOf(before)
  return {
    line,
    problems: [`${input.prenom} ${input.nom} is there already: ${id ? `client ${id}` : 'an earlier line'}`],
  }
}

interface ImportCounts {
  read: number
  fresh: number
  /** Lines about somebody who is there already. */
  again: number
  merged: number
  readonly ids: number[]
}

interface ImportContext {
  readonly api: SavClient
  readonly people: People
  readonly importing: ImportRequest
  readonly csv: ClientsCsv
  readonly bad: Problems
}

async function carryOut(context: Context, { api, people, importing, csv, bad }: ImportContext): Promise<ImportCounts> {
  const { dry_run = false, duplicates, errors } = importing
  const progress = progressLine(context)
  const done: ImportCounts = { read: 0, fresh: 0, again: 0, merged: 0, ids: [] }
  const rejected =
    bad.lines > 0 && errors !== undefined && !dry_run ? await badFile(resolve(context.cwd, errors)) : null
  const ofStore = people.count
  const waiting: { readonly who: number; readonly input: AddClientInput }[] = []
  const addWaiting = async () => {
    const batch = waiting.splice(0)
    const inputs = batch.map(({ input }) => input)
    const ids = await (context.remote === null ? addHere(context, inputs) : addThere(api, inputs))
    for (const [index, { who }] of batch.entries()) people.wasAdded(who, ids[index] ?? 0)
    done.ids.push(...ids)
    progress.show(`added: ${done.ids.length}`)
  }
  try {
    await rejected?.write(csv, [...csv.headings, 'problem'])
    for await (const line of csv.lines) {
      done.read += 1
      const { input, cells, problems } = line
      if (problems.length > 0) {
        await rejected?.write(csv, [...cells, `line ${line.line}: ${problems.join('; ')}`])
        continue
      }
      const before = people.find(input)
      if (before !== undefined) {
        done.again += 1
        if (duplicates !== 'merge' || dry_run) continue
        const changes = people.complete(before, input)
        if (Object.keys(changes).length === 0) continue
        if (people.idOf(before) === 0) await addWaiting()
        await api.put('/api/v1/clients/{id}', { params: { id: people.idOf(before) }, body: changes })
        if (before <= ofStore) done.merged += 1
        continue
      }
      done.fresh += 1
      const who = people.add(input, 0)
      if (dry_run) continue
      waiting.push({ who, input })
      if (waiting.length === batchSize) await addWaiting()
    }
    if (waiting.length > 0) await addWaiting()
    return done
  } finally {
    progress.clear()
    await rejected?.close()
  }
}

/** In one transaction. Resolves to their ids, in that order. */
async function addHere(context: Context, inputs: readonly AddClientInput[]): Promise<number[]> {
  const { sav, actor, perform } = await context.openAccount()
  return perform(allOf(inputs.map((input) => sav.writes.clients.add(actor, input))), null)
}

/** Calls under way, of a service that others use too. */
const atOnce = 8

async function addThere(api: SavClient, inputs: readonly AddClientInput[]): Promise<number[]> {
  const ids: number[] = []
  for (let from = 0; from < inputs.length; from += atOnce) {
    const calls = inputs.slice(from, from + atOnce).map((body) => api.post('/api/v1/clients', { body }))
    ids.push(...(await Promise.all(calls)).map(({ data }) => data.id))
  }
  return ids
}

/** Writes as one, in one transaction. */
function allOf(writes: readonly Write<ClientView>[]): Write<number[]> {
  return preparedWrite({
    prepare: async () => {
      const prepared: unknown[] = []
      for (const write of writes) prepared.push(await write.prepare?.())
      return prepared
    },
    async write(tx, prepared) {
      const ids: number[] = []
      for (const [index, write] of writes.entries()) ids.push((await write.write(tx, prepared[index])).id)
      return ids
    },
  })
}

/** Bad lines as they came, with what is wrong with each in a column more: to be mended and imported. */
async function badFile(path: string) {
  const handle: FileHandle = await open(path, 'w', 0o600)
  let bom = true
  return {
    async write({ delimiter }: ClientsCsv, row: readonly string[]): Promise<void> {
      await handle.writeFile(stringify([[...row]], { delimiter, bom, escape_formulas: true }))
      bom = false
    },
    close: () => handle.close(),
  }
}

function badLines(file: string, problems: Problems): CommandError {
  const message = problems.told(`${file}: no client was added.`).join('\n')
  return new CommandError('bad_csv', message, { details: problems.first })
}
