import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { type Latency, percentile } from '#bench'
import { listen } from '#listen'
import { runPart, startPart } from '#processes'
import { creations, type Shop } from '#shop'

export interface Callers {
  readonly ports: readonly number[]
  readonly shops: readonly Shop[]
  readonly durationMs: number
  /** The factor of all rates: 1 on the machine for which limits are given. */
  readonly pace: number
}

export interface CallStats {
  readonly calls: number
  readonly latency: Latency
}

/** The times of the calls, of all reads and all writes, and wrong answers. */
export interface HourResult {
  readonly reads: CallStats
  readonly writes: CallStats
  readonly kinds: Readonly<Record<Kind, CallStats>>
  /** How often each unexpected answer came. */
  readonly wrong: Readonly<Record<string, number>>
}

/** How many calls a second are made, at a pace of 1: 20 times those of 10,000 accounts in their busiest minute. */
const perSecond = { create: 150, update: 80, close: 30, list: 120, detail: 80, pull: 60 }

type Kind = keyof typeof perSecond
const kinds: readonly Kind[] = ['create', 'update', 'close', 'list', 'detail', 'pull']

const byKind = <T>(of: (kind: Kind) => T): Record<Kind, T> => ({
  create: of('create'),
  update: of('update'),
  close: of('close'),
  list: of('list'),
  detail: of('detail'),
  pull: of('pull'),
})

const everyMs = 10
const connections = 64
/** How many of the latest cases are updated, read and closed. */
const known = 5000

/**
 * Makes the calls of many accounts from another process, each at its planned time, whether or not earlier ones are
 * answered.
 */
export function live(callers: Callers): Promise<HourResult> {
  return runPart(import.meta.url, calling, callers)
}

export async function calling({ ports, shops, durationMs, pace }: Callers): Promise<HourResult> {
  const pools = ports.map((port) => new Pool(`http://127.0.0.1:${port}`, { connections }))
  const inputs = creations(512)
  const open: { shop: Shop; id: number }[] = []
  const times = byKind((): number[] => [])
  const wrong: Record<string, number> = {}
  const pending = new Set<Promise<void>>()
  const start = performance.now()
  let turn = 0

  const call = async (kind: Kind, dueAt: number): Promise<void> => {
    turn += 1
    // Accounts next to each other in the list call at distant times, as real callers would.
    const shop = shops[(turn * 7919) % shops.length]
    const pool = pools[turn % pools.length]
    const found = kind === 'close' ? open.shift() : open[(turn * 31) % Math.max(1, open.length)]
    if (shop === undefined || pool === undefined) return
    const { path, status, body, key } = requestOf(kind, {
      shop,
      found,
      input: inputs[turn % inputs.length] ?? {},
      turn,
    })
    const method = body === undefined ? 'GET' : kind === 'update' ? 'PUT' : 'POST'
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'X-Request-Timestamp': String(Math.floor(Date.now() / 1000)),
      }),
    }
    const answer = await pool.request({
      method,
      path,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.body.text()
    times[kind].push(performance.now() - start - dueAt)
    if (answer.statusCode !== status) {
      const what = `${kind} ${answer.statusCode} ${text.slice(0, 100)}`
      wrong[what] = (wrong[what] ?? 0) + 1
    } else if (kind === 'create') {
      open.push({ shop, id: JSON.parse(text).data.id })
      if (open.length > known) open.shift()
    }
  }

  const done = byKind(() => 0)
  for (let now = 0; now < durationMs; now = performance.now() - start) {
    for (const kind of kinds) {
      const rate = (perSecond[kind] * pace) / 1000
      for (; (done[kind] + 1) / rate <= now; done[kind] += 1) {
        // Other kinds of calls need an open case.
        if (open.length === 0 && kind !== 'create' && kind !== 'list' && kind !== 'pull') continue
        const asked = call(kind, (done[kind] + 1) / rate)
          .catch((error: unknown) => {
            wrong[`${kind} ${String(error)}`] = (wrong[`${kind} ${String(error)}`] ?? 0) + 1
          })
          .finally(() => pending.delete(asked))
        pending.add(asked)
      }
    }
    await wait(everyMs)
  }
  await Promise.all(pending)
  await Promise.all(pools.map((pool) => pool.close()))
  const answered = (all: readonly number[]): CallStats => ({
    calls: all.length,
    latency: { p50Ms: percentile(all, 0.5), p99Ms: percentile(all, 0.99) },
  })
  const { create, update, close, list, detail, pull } = times
  return {
    reads: answered([...list, ...detail, ...pull]),
    writes: answered([...create, ...update, ...close]),
    kinds: byKind((kind) => answered(times[kind])),
    wrong,
  }
}

interface Subject {
  readonly shop: Shop
  readonly found: { readonly shop: Shop; readonly id: number } | undefined
  readonly input: object
  readonly turn: number
}

function requestOf(kind: Kind, { shop, found, input, turn }: Subject) {
  const api = '/api/v1/sav'
  const one = { path: `${api}/${found?.id}`, status: 200, key: found?.shop.key ?? shop.key }
  switch (kind) {
    case 'create':
      return {
        path: api,
        status: 201,
        key: shop.key,
        body: { client_id: shop.clients[turn % shop.clients.length], ...input },
      }
    case 'update':
      return { ...one, body: { notes_internes: `Rappelé le client, passage n° ${turn}.` } }
    case 'close':
      return {
        ...one,
        path: `${one.path}/cloturer`,
        body: { resolution: 'Charnières réglées, porte rabotée de deux millimètres.' },
      }
    case 'list':
      return { path: `${api}?limite=50`, status: 200, key: shop.key, body: undefined }
    case 'detail':
      return { ...one, body: undefined }
    case 'pull':
      return {
        path: `${api}?modifie_depuis=${new Date().toISOString().slice(0, 10)}`,
        status: 200,
        key: shop.key,
        body: undefined,
      }
  }
}

/**
 * Receivers in a separate process. The one at `url` measures how late deliveries arrive; those at `failing` never
 * answer with success.
 */
export interface WatchedReceivers extends AsyncDisposable {
  readonly url: string
  readonly failing: readonly string[]
  /** How many deliveries arrived, and by how many milliseconds the latest was later than its event. */
  late(): Promise<{ readonly count: number; readonly maxMs: number }>
}

export async function startWatching(): Promise<WatchedReceivers> {
  const part = await startPart(import.meta.url, watchingServer, {})
  const url = `http://127.0.0.1:${part.value.port}/`
  const kindsOfFailure = ['refuses', 'breaks', 'hangs']
  return {
    url,
    failing: Array.from({ length: 10 }, (_, n) => `${url}${kindsOfFailure[n % kindsOfFailure.length]}/${n}`),
    late: async () => JSON.parse(await (await fetch(url)).text()),
    [Symbol.asyncDispose]: () => part[Symbol.asyncDispose](),
  }
}

export async function watchingServer(): Promise<{ port: number }> {
  let count = 0
  let maxMs = 0
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end(JSON.stringify({ count, maxMs }))
      return
    }
    const [, failure] = request.url?.split('/') ?? []
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      if (failure === 'hangs') return
      if (failure === 'breaks') return void response.destroy()
      if (failure === 'refuses') return void response.writeHead(500).end('non')
      const { timestamp } = JSON.parse(Buffer.concat(chunks).toString())
      count += 1
      maxMs = Math.max(maxMs, Date.now() - Date.parse(timestamp))
      response.end('ok')
    })
  })
  return listen(server)
}
