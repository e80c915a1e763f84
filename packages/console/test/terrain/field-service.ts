import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Console } from '../../src/console.js'
import type { Constat, Rdv, Slot, Terrain } from '../../terrain/api.js'
import { pause } from '../door.js'
import { zone } from './samples.js'

/** A write that was done, once. */
export interface RecordedWrite {
  readonly path: string
  readonly person: string
  readonly key: string
  readonly body: Readonly<Record<string, unknown>>
}

interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What becomes of a call: `request lost` reaches nothing, `cut` is half there, of `answer lost` all is done but the answer. */
export type Fate = 'arrives' | 'request lost' | 'cut' | 'answer lost' | 'busy'

/** The service's side of the field, as far as a phone sees it: files by their content, writes once by their key. */
export class FieldService {
  day: Terrain
  /** By the value of their cookie. */
  readonly people = new Map<string, { readonly nom: string; readonly permissions: readonly string[] }>([
    ['usr_bruno', { nom: 'Bruno Petit', permissions: ['terrain'] }],
    ['usr_karim', { nom: 'Karim Benali', permissions: ['terrain'] }],
  ])
  /** Whose phone the office has ended. */
  readonly ended = new Set<string>()
  readonly recorded: RecordedWrite[] = []
  readonly files = new Map<string, Buffer>()
  readonly parts = new Map<string, Buffer>()
  /** What the office did, told to the next write of a visit. */
  readonly constats = new Map<number, Constat>()
  /** Instead of what would be done: by the path. */
  readonly refusals = new Map<string, Reply>()
  /** What phones said of themselves. */
  readonly devices: { readonly nom: string; readonly en_attente: number }[] = []
  /** The worker of the app is another one. */
  isNewVersion = false
  slots: readonly Slot[] = []
  /** Minutes by which this clock differs from the machine's. */
  aheadMs = 0
  fate: (call: {
    readonly method: string
    readonly path: string
    readonly header: (name: string) => string | undefined
  }) => Fate = () => 'arrives'
  url = ''

  readonly #answers = new Map<string, { readonly sent: string; readonly reply: Reply }>()
  readonly #pages: Console
  readonly #server = createServer((request, response) => void this.#take(request, response))

  constructor(pages: Console, day: Terrain) {
    this.#pages = pages
    this.day = day
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  change(id: number, more: Partial<Rdv>): void {
    const rdv = this.day.rdv.map((each) => (each.id === id ? { ...each, ...more, version: each.version + 1 } : each))
    this.day = { ...this.day, rdv }
  }

  of(end: string): RecordedWrite[] {
    return this.recorded.filter(({ path }) => path.endsWith(end))
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: target = '/' } = request
    const header = (name: string) => request.headers[name]?.toString()
    const [path = '/'] = target.split('?', 1)
    const fate = this.fate({ method, path, header })
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) {
        if (fate === 'cut') return void request.socket.destroy()
        chunks.push(chunk)
      }
    } catch {
      return
    }
    await pause()
    const isPage = path.startsWith('/app') && !path.startsWith('/app/session/')
    if (fate === 'request lost' || fate === 'cut') return void request.socket.destroy()
    if (isPage) {
      const isWorker = this.isNewVersion && path.endsWith('/sw.js')
      const page = await this.#pages({ method, target, header: (name) => (isWorker ? undefined : header(name)) })
      if (!isWorker) return void response.writeHead(page.status, page.headers).end(page.body)
      const headers = page.headers.flatMap((name, at, all) =>
        at % 2 || name === 'Content-Length' ? [] : [name, all[at + 1] ?? ''],
      )
      return void response.writeHead(page.status, headers).end(`${Buffer.from(page.body)}\n// The next one.`)
    }
    const reply = fate === 'busy' ? { status: 503 } : this.#reply(method, target, header, Buffer.concat(chunks))
    await pause()
    if (fate === 'answer lost') return void request.socket.destroy()
    const headers = {
      'Content-Type': 'application/json',
      Date: new Date(Date.now() + this.aheadMs).toUTCString(),
      ...reply.headers,
    }
    const body = reply.body instanceof Buffer ? reply.body : reply.body === undefined ? '' : JSON.stringify(reply.body)
    response.writeHead(reply.status, headers).end(body)
  }

  #reply(method: string, target: string, header: (name: string) => string | undefined, content: Buffer): Reply {
    const [path = ''] = target.split('?', 1)
    if (path === '/app/session/methodes') return fine({ passkey: true, oidc: false })
    if (path === '/app/session/invitation') {
      const { token } = JSON.parse(content.toString())
      const person = String(token).replace('sav_inv_', '')
      if (!this.people.has(person)) return { status: 401 }
      return { ...fine({}), headers: { 'Set-Cookie': `person=${person}; Path=/; HttpOnly; SameSite=Strict` } }
    }
    const person = /(?:^|; )person=(\w+)/.exec(header('cookie') ?? '')?.[1]
    if (person !== undefined && this.ended.has(person))
      return { status: 401, headers: { 'X-Sav-Device': 'ended' }, body: { error: 'Missing or invalid API key' } }
    const found = this.people.get(person ?? '')
    if (person === undefined || found === undefined)
      return { status: 401, body: { error: 'Missing or invalid API key' } }
    if (path === '/api/v1/session' && method === 'DELETE')
      return { status: 204, headers: { 'Set-Cookie': 'person=; Path=/; Max-Age=0' } }
    if (path === '/api/v1/session')
      return fine({
        utilisateur: { id: person, nom: found.nom },
        compte: { id: 'default', raison_sociale: 'Cuisines du Rhône', fuseau: zone },
        permissions: found.permissions,
      })
    if (path === '/api/v1/terrain/appareil') {
      this.devices.push(JSON.parse(content.toString()))
      return fine({})
    }
    if (path === '/api/v1/terrain') return this.#told(header)
    if (path.startsWith('/api/v1/fichiers/'))
      return this.#received(path.split('/').at(-1) ?? '', header('content-range'), content)
    if (path.includes('/fichiers/')) return { status: 200, body: picture, headers: { 'Content-Type': 'image/png' } }
    if (path.endsWith('/creneaux')) return fine(this.slots)
    if (path === '/api/v1/evenements') return { status: 204 }
    return method === 'GET'
      ? { status: 404 }
      : this.#once(path, person, header('idempotency-key') ?? '', content.toString())
  }

  #told(header: (name: string) => string | undefined): Reply {
    const tag = `"${createHash('sha256').update(JSON.stringify(this.day)).digest('hex').slice(0, 16)}"`
    const headers = { ETag: tag }
    return header('if-none-match') === tag ? { status: 304, headers } : { ...fine(this.day), headers }
  }

  #received(sha256: string, range: string | undefined, content: Buffer): Reply {
    if (this.files.has(sha256)) return { status: 200, body: {} }
    const [, from, all] = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(range ?? '') ?? []
    const start = Number(from ?? 0)
    const before = start === 0 && content.length > 0 ? Buffer.alloc(0) : (this.parts.get(sha256) ?? Buffer.alloc(0))
    const whole = start > before.length ? before : Buffer.concat([before, content.subarray(before.length - start)])
    this.parts.set(sha256, whole)
    const size = range === undefined ? content.length : Number(all)
    if (whole.length < size)
      return { status: 308, headers: whole.length > 0 ? { Range: `bytes=0-${whole.length - 1}` } : {} }
    this.parts.delete(sha256)
    const hash = createHash('sha256').update(whole).digest('hex')
    if (hash !== sha256)
      return { status: 422, body: { details: [{ field: 'sha256', code: 'content_hashes_otherwise', message: hash }] } }
    this.files.set(sha256, whole)
    return { status: 201, body: {} }
  }

  /** A repetition gets the answer that was given, and another request under the same key none. */
  #once(path: string, person: string, key: string, sent: string): Reply {
    const before = this.#answers.get(key)
    if (before !== undefined)
      return before.sent === sent ? before.reply : { status: 422, body: { code: 'idempotency_mismatch' } }
    const body = JSON.parse(sent)
    const refusal = this.refusals.get(path)
    if (refusal !== undefined) return refusal
    const missing = (sent.match(/"(?:sha256|signature)":"[0-9a-f]{64}"/g) ?? [])
      .map((named) => named.slice(-65, -1))
      .filter((sha256) => !this.files.has(sha256))
    if (missing.length > 0)
      return { status: 409, body: { code: 'file_missing', params: { hashes: missing.join(', ') } } }
    this.recorded.push({ path, person, key, body })
    const reply = this.#done(path, body)
    this.#answers.set(key, { sent, reply })
    return reply
  }

  #done(path: string, body: Record<string, unknown>): Reply {
    const [, id, what] = /\/planning\/(\d+)(?:\/(\w+))?$/.exec(path) ?? []
    if (id === undefined) return { status: 201, body: { data: { id: 1 } } }
    const rdv = this.day.rdv.find((each) => each.id === Number(id))
    if (rdv === undefined) return { status: 404, body: { code: 'rdv_unknown', error: 'Rdv not found' } }
    const becomes: Partial<Rdv> =
      what === 'debut'
        ? { statut: 'en_cours' }
        : what === 'absent'
          ? { statut: 'absent' }
          : what === 'retard'
            ? { retard_minutes: Number(body['minutes']) }
            : what === 'intervention'
              ? { statut: 'realise' }
              : { statut: 'planifie' }
    const constat = this.constats.get(rdv.id) ?? null
    this.constats.delete(rdv.id)
    // What the office ended stays as it ended it.
    if (constat === null) this.change(rdv.id, becomes)
    return fine({ ...this.day.rdv.find((each) => each.id === rdv.id), constat })
  }
}

const fine = (data: unknown): Reply => ({ status: 200, body: { success: true, data } })

/** A pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
