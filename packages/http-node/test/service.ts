import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Permission } from '@sav/core'
import type { Storage } from '@sav/core/ports'
import { afterAll, expect } from 'vitest'
import { memoryStorage } from '../../../test/memory-storage.js'
import { migratedDatabase } from '../../../test/postgres.js'
import { migratedFile } from '../../../test/sqlite.js'
import { openPostgres, openSqlite } from '../../../test/whole/opening.js'
import { permissions } from '../../../test/whole/permissions.js'
import { createFetchHandler } from '../src/fetch.js'
import type { Api, ApiRequest } from '../src/http/exchange.js'
import { type Listener, listen } from '../src/node-server/listener.js'
import { as, type ComposedApi, type ComposeOptions, composeApi } from './composed.js'
import { heldToContract } from './contract-check.js'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  readonly text: string
  /** The parsed body; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly json: any
}

interface RequestParts {
  /** For a list of values, each value is sent as a separate header line. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Uint8Array | (() => Readable)
}

/** The API behind a server, or behind the fetch handler. */
export interface Door {
  readonly name: string
  call(method: string, path: string, sent?: RequestParts): Promise<Answer>
  close(): Promise<void>
}

interface Way {
  readonly name: string
  open(api: Api): Promise<Door>
}

const byNode: Way = {
  name: 'node',
  open: async (api) => nodeDoor(await listen(api, { host: '127.0.0.1', port: 0 })),
}
const byFetch: Way = { name: 'fetch', open: async (api) => fetchDoor(api) }

export const doors: readonly Way[] = [byNode, byFetch]

function nodeDoor(listener: Listener): Door {
  return {
    name: 'node',
    call: (method, path, { headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const sentHeaders: OutgoingHttpHeaders = { ...headers }
        if (typeof body === 'string' || body instanceof Uint8Array)
          sentHeaders['content-length'] ??= String(Buffer.byteLength(body))
        const { hostname, port } = new URL(listener.url)
        const req = httpRequest({ hostname, port, method, path, headers: sentHeaders }, (res) => {
          const chunks: Buffer[] = []
          res.on('data', (chunk: Buffer) => chunks.push(chunk))
          const end = () => {
            const flat = Object.entries(res.headers).map(([name, value]) => [name, String(value)])
            resolve(answer(res.statusCode ?? 0, Object.fromEntries(flat), Buffer.concat(chunks)))
          }
          res.on('end', end)
          res.on('error', reject)
          if (isEndless(res.headers['content-type'])) {
            end()
            res.destroy()
          }
        })
        req.on('error', reject)
        if (typeof body === 'function') body().pipe(req)
        else req.end(body)
      }),
    close: () => listener.close(),
  }
}

export function fetchDoor(api: Api): Door {
  const handle = createFetchHandler(api)
  return {
    name: 'fetch',
    async call(method, path, { headers = {}, body } = {}) {
      const sentHeaders = new Headers()
      for (const [name, value] of Object.entries(headers))
        for (const each of [value].flat()) sentHeaders.append(name, each)
      // The Request of a real host has a Content-Length, but a Request that is created here has none.
      if (typeof body === 'string' || body instanceof Uint8Array)
        sentHeaders.set('content-length', headers['content-length']?.toString() ?? String(Buffer.byteLength(body)))
      const content =
        typeof body === 'function' ? webStream(body()) : typeof body === 'string' ? Buffer.from(body) : body
      const request = new Request(`http://api.test${path}`, {
        method,
        headers: sentHeaders,
        body: content === undefined ? null : content instanceof Uint8Array ? new Uint8Array(content) : content,
        duplex: 'half',
      })
      const response = await handle(request, { ip: '127.0.0.1' })
      const endless = isEndless(response.headers.get('content-type'))
      if (endless) await response.body?.cancel()
      const bytes = endless ? Buffer.alloc(0) : Buffer.from(await response.arrayBuffer())
      return answer(response.status, Object.fromEntries(response.headers), bytes)
    },
    close: async () => {},
  }
}

/** Whether an answer of this type never ends. */
const isEndless = (type: string | null | undefined) => type === 'text/event-stream'

function webStream(body: Readable): ReadableStream {
  const iterator = body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => {
      body.destroy()
    },
  })
}

function answer(status: number, headers: Record<string, string>, bytes: Buffer): Answer {
  const text = bytes.toString('utf8')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { status, headers, bytes, text, json }
}

/** A call as adapters pass it to the API, without headers or a body unless `parts` has them. */
export const apiRequest = (parts: Partial<ApiRequest<undefined>> = {}): ApiRequest<undefined> => ({
  method: 'GET',
  target: '/',
  ip: '192.0.2.1',
  context: undefined,
  header: () => undefined,
  readBody: async () => new Uint8Array(),
  ...parts,
})

interface Store {
  readonly name: string
  open(): Promise<Storage>
}

const through = (door: Way, store: Store) => ({
  name: `the ${door.name} door on ${store.name}`,
  open: door.open,
  store: store.open,
})

/**
 * A store behind one door, which is enough for the tests of routes. Other tests cover the rest: the storage contract
 * tests every store, matrix.test.ts every operation on each store, and the tests of adapters both doors.
 */
export const inMemory = through(byFetch, { name: 'SQLite in memory', open: memoryStorage })
export const onSqlite = through(byNode, { name: 'SQLite', open: sqliteInTemporaryFile })
export const onPostgres = through(byNode, { name: 'PostgreSQL', open: postgres })

export async function sqliteInTemporaryFile(): Promise<Storage> {
  const folder = await mkdtemp(join(tmpdir(), 'sav-http-'))
  const storage = await openSqlite(await migratedFile(join(folder, 'sav.db')))
  const close = storage.close.bind(storage)
  return Object.assign(storage, {
    async close() {
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  })
}

async function postgres(): Promise<Storage> {
  const database = await migratedDatabase()
  const storage = await openPostgres(database.url)
  const close = storage.close.bind(storage)
  return Object.assign(storage, {
    async close() {
      await close()
      await database[Symbol.asyncDispose]()
    },
  })
}

/** A service on a store, with two accounts and everything that a call needs. */
export interface Service extends ComposedApi {
  readonly storage: Storage
  readonly client_id: number
  readonly poseur_id: number
  /** A client and a poseur of the other account. */
  readonly foreign: { readonly account_id: string; readonly client_id: number; readonly poseur_id: number }
  /** A new key of the account `default`, or of another one. */
  key(permissions: readonly Permission[], account_id?: string): Promise<string>
  /** Headers of a call with every permission, with the timestamp of now. */
  auth(more?: Record<string, string>): Record<string, string>
  readonly otherAuth: Readonly<Record<string, string>>
}

export async function openService(over?: Storage, options: ComposeOptions = {}): Promise<Service> {
  const storage = over ?? (await memoryStorage())
  const composed = composeApi(storage, options)
  const { sav, clock } = composed
  const key = async (held: readonly Permission[], account_id = 'default') =>
    (await sav.keys.create(as(account_id), { nom: 'test', permissions: [...held] })).key

  await sav.accounts.add(as('default'), 'default')
  await sav.accounts.add(as('other'), 'other')
  const people = async (account_id: string) => ({
    account_id,
    client_id: (await sav.directory.clients.add(as(account_id), { nom: 'Durand', prenom: 'Alice' })).id,
    poseur_id: (await sav.directory.poseurs.add(as(account_id), { nom: 'Bruno Petit' })).id,
  })
  const { client_id, poseur_id } = await people('default')
  const foreign = await people('other')
  const ours = await key(permissions)
  const theirs = await key(permissions, 'other')
  const headers = (bearer: string) => ({
    authorization: `Bearer ${bearer}`,
    'content-type': 'application/json',
    'x-request-timestamp': String(Math.floor(clock.now() / 1000)),
  })

  return {
    ...composed,
    api: heldToContract(composed.api, { takesKeys: options.authenticate === undefined }),
    storage,
    client_id,
    poseur_id,
    foreign,
    key,
    auth: (more = {}) => ({ ...headers(ours), ...more }),
    otherAuth: headers(theirs),
  }
}

/**
 * A service behind one of the doors, for the tests of the `describe` that calls it. They fail if the service had a
 * failure that no test expected.
 */
export async function served(open: Way['open'], ...given: Parameters<typeof openService>) {
  const service = await openService(...given)
  const door = await open(service.api)
  afterAll(async () => {
    await door.close()
    await service.storage.close()
    expect(service.failures.map(({ error }) => String(error).slice(0, 200))).toEqual([])
  })
  return { service, door }
}
