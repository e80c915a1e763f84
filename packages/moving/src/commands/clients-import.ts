import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  CommandError,
  type CommandOutput,
  type Context,
  exitCodes,
  fileProblem,
  inUnfinishedFile,
  keepHeapSmall,
  progressLine,
  type SingleByteEncoding,
  usageError,
} from '@sav/command/feature'
import type { AddClientInput, ClientView, UpdateClientInput, Write } from '@sav/core'
import { preparedWrite } from '@sav/core/feature'
import type { SavClient } from '@sav/http-node/client'
import { clientOfRow } from '../client-row.js'
import { FileImport, type FileOutcome, type RowFields, type RowOutcome, sourceOf } from './file-import.js'
import { KnownPeople } from './known-people.js'
import { reasonOf } from './reasons.js'
import { openRowsFile } from './rows-file.js'
import { wholeLines } from './whole-lines.js'

export interface ClientImportOptions {
  readonly dry_run?: boolean
  readonly duplicates: 'skip' | 'merge' | 'refuse'
  /** A file for the bad lines; without it, one bad line prevents the whole import. */
  readonly errors?: string
  readonly encoding?: SingleByteEncoding
}

/**
 * Adds the clients of a file, here or in a service, as `sav import` does. After an interruption, run the same command
 * again: existing clients are duplicates.
 */
export async function importClients(
  context: Context,
  file: string,
  options: ClientImportOptions,
): Promise<CommandOutput> {
  keepHeapSmall()
  const name = file === '-' ? 'Standard input' : file
  const path = resolve(context.cwd, file)
  const found = file === '-' ? null : await stat(path).catch(unreadable(name))
  if (found?.isDirectory()) throw usageError(`${name}: it is a directory. Name a file in it.`)
  if (found?.isFile()) return importFrom(context, { file, name }, options)
  // Standard input can be read only once, so it is stored first.
  return inUnfinishedFile(join(tmpdir(), 'sav-import.csv'), async (kept) => {
    const coming = file === '-' ? context.stdin() : createReadStream(path)
    await writeFile(kept, wholeLines(name, coming)).catch(unreadable(name))
    return importFrom(context, { file: kept, name }, options)
  })
}

const unreadable =
  (name: string) =>
  (error: unknown): never => {
    throw error instanceof CommandError ? error : usageError(`${name}: ${fileProblem(error)}`)
  }

async function importFrom(
  context: Context,
  { file, name }: { readonly file: string; readonly name: string },
  { dry_run = false, duplicates, errors, encoding }: ClientImportOptions,
): Promise<CommandOutput> {
  const source = sourceOf(await openRowsFile(context.cwd, { file, name, encoding }), 'clients', { columns: {} })
  const { headings } = source.rowsFile
  if (![...source.fieldOf.values()].includes('nom'))
    throw usageError(
      `${name}: the first line must name the columns, with nom among them. It names ${headings.join(', ')}.`,
    )
  const api = await context.api()
  const people = await everybody(context, api)
  const run = (isTrial: boolean) => {
    const clients = new ClientRows(context, api, { people: new KnownPeople(people), duplicates, isTrial })
    const command = (refused: string) => ['clients', 'import', refused, '--duplicates', duplicates]
    return new FileImport(context, source, {
      importRows: (rows) => clients.importRows(rows),
      isTrial,
      errors,
      command,
    }).run()
  }
  if (errors !== undefined) return outputOf(await run(dry_run))
  const tried = await run(true)
  if (tried.json.refused > 0) {
    const details = tried.json.reasons.flatMap(({ outcome, reason, lines }) =>
      outcome === 'refused' ? lines.map((line) => ({ field: `line ${line}`, message: reason })) : [],
    )
    throw new CommandError('bad_csv', `No client was added.\n${tried.text}`, { details })
  }
  return outputOf(dry_run ? tried : await run(false))
}

const outputOf = ({ json, text }: FileOutcome): CommandOutput => ({
  json,
  text,
  ...(json.refused > 0 && { exitCode: exitCodes.failed }),
})

async function everybody(context: Context, api: SavClient): Promise<KnownPeople> {
  const people = new KnownPeople(null)
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

/** Which fields of a duplicate may be filled in. */
const completed = ['email', 'telephone', 'adresse', 'lieu'] as const

interface ClientRowsOptions {
  readonly people: KnownPeople
  readonly duplicates: ClientImportOptions['duplicates']
  readonly isTrial: boolean
}

/** Rows of clients to be added to a store or a service. */
class ClientRows {
  readonly #context: Context
  readonly #api: SavClient
  readonly #options: ClientRowsOptions
  #waiting: AddClientInput[] = []

  constructor(context: Context, api: SavClient, options: ClientRowsOptions) {
    this.#context = context
    this.#api = api
    this.#options = options
  }

  async importRows(rows: readonly RowFields[]): Promise<RowOutcome[]> {
    const outcomes: RowOutcome[] = []
    for (const row of rows) outcomes.push(await this.#importRow(row))
    await this.#add()
    return outcomes
  }

  async #importRow(row: RowFields): Promise<RowOutcome> {
    const { client, problems, leftOut } = clientOfRow(row)
    if (problems.length > 0) return { outcome: 'refused', reasons: problems.map(reasonOf) }
    const { people, duplicates, isTrial } = this.#options
    const read = { row: { ...client }, kept: [], unusable: leftOut.map(reasonOf) }
    const before = people.find(client)
    if (before === undefined) {
      people.add(client, null)
      if (!isTrial) this.#waiting.push(client)
      return { outcome: 'created', ...read }
    }
    const which = before === null ? 'an earlier line' : `client ${before}`
    const duplicate = { text: `exists already: ${which}`, general: 'exists already' }
    if (duplicates === 'refuse') return { outcome: 'refused', reasons: [duplicate] }
    if (duplicates === 'skip') return { outcome: 'kept', ...read, kept: [duplicate] }
    if (before === null) await this.#add()
    const id = people.find(client) ?? null
    // A dry run has added no client.
    const changed = id !== null && (await this.#complete(id, client))
    return { outcome: changed ? 'updated' : 'unchanged', ...read }
  }

  /** Fills empty fields of an existing client. Resolves to whether there were any. */
  async #complete(id: number, client: AddClientInput): Promise<boolean> {
    const { data: found } = await this.#api.get('/api/v1/clients/{id}', { params: { id } })
    const missing = completed.filter((field) => found[field] === null && (client[field] ?? null) !== null)
    const body: UpdateClientInput = Object.fromEntries(missing.map((field) => [field, client[field]]))
    if (missing.length > 0 && !this.#options.isTrial)
      await this.#api.put('/api/v1/clients/{id}', { params: { id }, body })
    return missing.length > 0
  }

  /** Adds the waiting clients. */
  async #add(): Promise<void> {
    const inputs = this.#waiting
    this.#waiting = []
    if (inputs.length === 0) return
    const ids = await (this.#context.remote === null ? addHere(this.#context, inputs) : addThere(this.#api, inputs))
    for (const [index, input] of inputs.entries()) this.#options.people.add(input, ids[index] ?? null)
  }
}

/** Adds clients to the local store in one transaction. Resolves to their ids, in order. */
async function addHere(context: Context, inputs: readonly AddClientInput[]): Promise<number[]> {
  const { sav, actor, perform } = await context.openAccount()
  return perform(allOf(inputs.map((input) => sav.writes.clients.add(actor, input))), null)
}

/** Concurrent calls to a service that others use too. */
const atOnce = 8

async function addThere(api: SavClient, inputs: readonly AddClientInput[]): Promise<number[]> {
  const ids: number[] = []
  for (let from = 0; from < inputs.length; from += atOnce) {
    const calls = inputs.slice(from, from + atOnce).map((body) => api.post('/api/v1/clients', { body }))
    ids.push(...(await Promise.all(calls)).map(({ data }) => data.id))
  }
  return ids
}

/** Several writes as one, in one transaction. */
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
