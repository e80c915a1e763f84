import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Actor, Permission, Sav } from '@sav/core'
import type { Storage } from '@sav/core/ports'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../../../test/postgres.js'
import { createUseCases, openPostgres, openSqlite } from '../../../../../test/whole/opening.js'
import type { AllFeatures } from '../../../../all/src/index.js'
import { allRoutes } from '../../../../all/src/routes.js'
import { trustingPasskeys } from '../../../../people/src/testing/trusting-passkeys.js'
import { tokenOf } from '../../../../people/test/people.js'
import { createApi } from '../../create-api.js'
import { createFetchHandler, type FetchHandler } from '../../fetch.js'
import { type Listener, listen } from '../../node-server/listener.js'
import { secureRandom, systemClock } from '../../runtime.js'

const path = '/api/v1/evenements'
const actor: Actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' }
const theirs: Actor = { ...actor, account_id: 'theirs' }

/** The service of one of several processes on a store. */
function oneOf(storage: Storage): Sav<AllFeatures> {
  return createUseCases({
    ...{ storage, clock: systemClock, random: secureRandom, secretKey: new Uint8Array(32) },
    people: { passkeyVerifier: trustingPasskeys },
  })
}

interface Message {
  readonly id?: string
  readonly event?: string
  readonly data?: string
}

/** Parses a stream as an EventSource does. */
function heard(body: ReadableStream<Uint8Array> | null) {
  const messages: Message[] = []
  const waiting = new Set<() => void>()
  let hasEnded = false
  const ended = (async () => {
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const lines = block
            .split('\n')
            .map((line) => [line.replace(/:.*/s, ''), line.replace(/^[^:]*: ?/, '')] as const)
          messages.push(Object.fromEntries(lines.filter(([name]) => ['id', 'event', 'data'].includes(name))))
        }
        for (const look of waiting) look()
      }
    } catch {
      // The stream was cut off.
    }
    hasEnded = true
    for (const look of waiting) look()
  })()
  /** Resolves when `holds` returns true for the messages; rejects if the stream ends first. */
  const until = (holds: (messages: readonly Message[]) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!holds(messages) && !hasEnded) return
        waiting.delete(look)
        if (holds(messages)) resolve()
        else reject(new Error(`It ended after ${JSON.stringify(messages)}`))
      }
      waiting.add(look)
      look()
    })
  const told = () => messages.filter(({ event }) => event !== undefined)
  return { messages, told, until, ended }
}

const has = (event: string) => (messages: readonly Message[]) => messages.some((message) => message.event === event)

describe.each([
  [
    'SQLite',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sav-live-'))
      const open = () => openSqlite(join(folder, 'sav.db'))
      return { open, drop: () => rm(folder, { recursive: true }) }
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const database = await freshDatabase()
      return { open: () => openPostgres(database.url), drop: () => database[Symbol.asyncDispose]() }
    },
  ],
] as const)('server-sent events on %s', (name, make) => {
  /** Whether all tests run. On PostgreSQL, only those that depend on the store do. */
  const isWhole = name === 'SQLite'
  let serving: Sav<AllFeatures>
  let elsewhere: Sav<AllFeatures>
  let listener: Listener
  let fetched: FetchHandler
  let client_id: number
  let poseur_id: number
  const closing: (() => PromiseLike<unknown>)[] = []

  beforeAll(async () => {
    const { open, drop } = await make()
    const [one, two] = [await open(), await open()]
    closing.push(
      () => one.close(),
      () => two.close(),
      drop,
    )
    await one.migrate()
    serving = oneOf(one)
    elsewhere = oneOf(two)
    const api = createApi({
      features: allRoutes,
      sav: serving,
      ready: () => one.ping(),
      onCall: () => {},
      publicUrl: 'https://sav.example',
    })
    listener = await listen(api, { port: 0 })
    fetched = createFetchHandler(api)
    for (const who of [actor, theirs]) await serving.accounts.add(who, who.account_id)
    client_id = (await serving.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice' })).id
    poseur_id = (await serving.directory.poseurs.add(actor, { nom: 'Bruno Petit' })).id
    // Deliveries to this endpoint wake the listeners of the process that commits them. Others check once a second.
    await serving.webhooks.endpoints.add(actor, { url: 'https://atelier.example/', events: ['sav.created'] })
  })
  afterAll(async () => {
    serving.live.close()
    await listener.close()
    for (const close of closing) await close()
  })

  const newKey = async (permissions: Permission[] = ['sav:read', 'planning:read'], who = actor) =>
    elsewhere.keys.create(who, { nom: 'écran', permissions })
  const create = (sav = serving, who = actor, client = client_id) =>
    sav.cases.create(who, { client_id: client, description: 'La porte du meuble bas ne ferme plus.' })

  async function opened(headers: Record<string, string>) {
    const abort = new AbortController()
    onTestFinished(() => abort.abort())
    const response = await fetch(listener.url + path, { headers, signal: abort.signal })
    return { response, leave: () => abort.abort(), ...heard(response.body) }
  }
  const bearer = (key: string, more: Record<string, string> = {}) => ({ authorization: `Bearer ${key}`, ...more })

  it('include commits of another process, and nothing of another account', async () => {
    const one = await opened(bearer((await newKey()).key))
    const other = await opened(bearer((await newKey(['sav:read'], theirs)).key))
    expect(one.response.status).toBe(200)
    expect(one.response.headers.get('content-type')).toBe('text/event-stream')
    expect(one.response.headers.get('cache-control')).toBe('no-store')
    const { id, reference } = await create(elsewhere)
    await one.until(has('sav.created'))
    const [message] = one.told()
    const body = JSON.parse(message?.data ?? '')
    expect(body).toMatchObject({ event: 'sav.created', data: { event_id: message?.id, id, reference } })

    const theirClient = (await elsewhere.directory.clients.add(theirs, { nom: 'Roux', prenom: 'Zoé' })).id
    await create(serving, theirs, theirClient)
    await other.until(has('sav.created'))
    expect(other.told()).toHaveLength(1)
    expect(one.told()).toHaveLength(1)
  })

  it('continue after a reconnection, or send a reset if it is too late for that', async () => {
    const { key } = await newKey()
    const first = await opened(bearer(key))
    await create()
    await first.until(has('sav.created'))
    first.leave()
    const { reference } = await create()
    const again = await opened(bearer(key, { 'last-event-id': first.told().at(-1)?.id ?? '' }))
    await again.until((messages) => messages.some(({ data = '' }) => data.includes(reference)))
    expect(again.told().filter(({ event }) => event === 'reset')).toEqual([])

    const late = await opened(bearer(key, { 'last-event-id': `evt_${'0'.repeat(26)}` }))
    await late.until(has('reset'))
    expect(late.told()).toHaveLength(1)
  })

  it.runIf(isWhole)('include appointments only for callers who may see them', async () => {
    const [may, mayNot] = [
      await opened(bearer((await newKey()).key)),
      await opened(bearer((await newKey(['sav:read'])).key)),
    ]
    const debut = new Date(Date.UTC(2030, 0, 15, 8)).toISOString()
    await serving.planning.book(actor, { client_id, poseur_id, debut, duree_minutes: 60 })
    await create()
    await may.until((messages) => has('rdv.created')(messages) && has('sav.created')(messages))
    await mayNot.until(has('sav.created'))
    expect(mayNot.told().map(({ event }) => event)).toEqual(['sav.created'])
  })

  it.runIf(isWhole)('for an installer include only the installer’s own visits and their cases', async () => {
    const bruno = { nom: 'Bruno Petit', email: 'bruno@petit.example', role: 'poseur', poseur_id } as const
    const { id } = await serving.users.add(actor, bruno)
    const token = tokenOf(await serving.users.invite(actor, id))
    const { secret } = await serving.signIns.byInvitation({ token }, { ip: '192.0.2.7', appareil: 'Téléphone' })
    const other = (await serving.directory.poseurs.add(actor, { nom: 'Ismaël Roy' })).id
    const [mine, theirCase] = [await create(), await create()]
    const his = await opened({ cookie: `__Host-sav=${secret}`, 'sec-fetch-site': 'same-origin' })
    const book = (of: { readonly id: number }, whom: number, day: number) => {
      const debut = new Date(Date.UTC(2031, 0, day, 8)).toISOString()
      return serving.planning.book(actor, { sav_id: of.id, poseur_id: whom, debut, duree_minutes: 60 })
    }
    await book(theirCase, other, 15)
    await book(mine, poseur_id, 15)
    await serving.cases.update(actor, theirCase.id, { priorite: 'haute' })
    await serving.cases.update(actor, mine.id, { priorite: 'haute' })
    await his.until(has('sav.updated'))
    const told = his.told().map(({ event, data = '' }) => ({ event, data: JSON.parse(data).data }))
    // Sorted, because the order of events within one transaction is not fixed.
    expect(told.map(({ event }) => event).toSorted()).toEqual(['rdv.created', 'sav.assigned', 'sav.updated'])
    for (const { data } of told) expect(data.sav?.id ?? data.id).toBe(mine.id)
  })

  it.runIf(isWhole).each(['revoked', 'left without a permission'])(
    'end within a second when their key or person is %s',
    async (what) => {
      if (what === 'revoked') {
        const { id, key } = await newKey()
        const one = await opened(bearer(key))
        await one.until((messages) => messages.length > 0)
        const since = performance.now()
        await elsewhere.keys.revoke(actor, id)
        await one.ended
        // A busy machine may be late.
        expect(performance.now() - since).toBeLessThan(10_000)
        expect((await opened(bearer(key))).response.status).toBe(401)
        return
      }
      const { one, user } = await signedIn()
      await one.until((messages) => messages.length > 0)
      await elsewhere.users.update(actor, user, { actif: false })
      await one.ended
    },
  )

  async function signedIn() {
    const email = `${randomBytes(4).toString('hex')}@atelier.example`
    const { id } = await elsewhere.users.add(actor, { nom: 'Claire Petit', email, role: 'atelier' })
    const token = tokenOf(await elsewhere.users.invite(actor, id))
    const begun = await elsewhere.signIns.byInvitation({ token }, { ip: '127.0.0.1', appareil: 'Firefox' })
    const { secret } = begun
    const headers = { cookie: `__Host-sav=${secret}`, 'sec-fetch-site': 'same-origin' }
    return { one: await opened(headers), headers, user: id }
  }

  it.runIf(isWhole)('are one stream per session: a newer stream replaces it', async () => {
    const { one, headers } = await signedIn()
    await one.until((messages) => messages.length > 0)
    const two = await opened(headers)
    await one.until(has('replaced'))
    await one.ended
    await create()
    await two.until(has('sav.created'))
    expect((await opened({ cookie: headers.cookie })).response.status).toBe(403)
  })

  it.runIf(isWhole)('come through fetch as well, and end there when the client leaves', async () => {
    const { key } = await newKey()
    const open = () => fetched(new Request(`https://sav.example${path}`, { headers: bearer(key) }), { ip: '127.0.0.1' })
    const one = heard((await open()).body)
    const others = await Promise.all(Array.from({ length: 99 }, open))
    const beyond = await open()
    expect([beyond.status, beyond.headers.get('retry-after')]).toEqual([429, '60'])
    await others.pop()?.body?.cancel()
    const last = await open()
    expect(last.status).toBe(200)
    for (const { body } of [...others, last]) await body?.cancel()
    await create()
    await one.until(has('sav.created'))
  })

  it.runIf(isWhole)('are not opened by a HEAD request', async () => {
    const { key } = await newKey()
    const response = await fetch(listener.url + path, { method: 'HEAD', headers: bearer(key) })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })

  it.runIf(isWhole)('are cut off if they are not read', async () => {
    const { key } = await newKey()
    const request = new Request(`https://sav.example${path}`, { headers: bearer(key) })
    const response = await fetched(request, { ip: '127.0.0.1' })
    const looking = await opened(bearer(key))
    const description = 'Le plan de travail a gonflé près de l’évier.'
    for (let burst = 0; burst < 5; burst += 1) {
      const { reference } = (
        await Promise.all(Array.from({ length: 90 }, () => serving.cases.create(actor, { client_id, description })))
      ).at(-1) ?? { reference: '' }
      await looking.until((told) => told.some(({ data = '' }) => data.includes(reference)))
    }
    const reader = response.body?.getReader()
    await expect(reader?.read()).rejects.toThrow('too slowly')
  })

  it('end when the service closes, which waits for none of them', async () => {
    const one = await opened(bearer((await newKey()).key))
    await one.until((messages) => messages.length > 0)
    const since = performance.now()
    serving.live.close()
    await one.ended
    await listener.close()
    expect(performance.now() - since).toBeLessThan(10_000)
  })
})
