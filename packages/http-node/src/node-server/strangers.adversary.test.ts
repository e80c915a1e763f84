import { hash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { rdvPageStore } from '../../../planning/src/customers/rdv-page-store.js'
import { invited } from '../../test/browser.js'
import { as, type ComposeOptions } from '../../test/composed.js'
import { Client, serve } from '../../test/listening.js'
import { requestHead, statusesIn } from '../../test/raw-socket.js'
import type { Service } from '../../test/service.js'
import { createFetchHandler } from '../fetch.js'

const KiB = 1024
const secret = `sav_rdv_${'r'.repeat(43)}`

/** A service with an appointment whose customer has a page, and what strangers send. */
async function open(options?: ComposeOptions) {
  const { service, url } = await serve({}, options)
  const { sav, storage, client_id, poseur_id, clock } = service
  const debut = new Date(clock.now() + 5 * 86_400_000).toISOString()
  const { id } = await sav.planning.book(as('default'), { client_id, poseur_id, debut, duree_minutes: 60 })
  await storage.transaction((tx) =>
    tx.of(rdvPageStore).add({ hash: hash('sha256', secret), account_id: 'default', rdv_id: id }),
  )

  const page = { host: new URL(url).host, origin: url, 'x-sav-console': '1', 'content-type': 'application/json' }
  const signIn = (length: number, more: Record<string, string> = {}) =>
    requestHead('POST', '/app/session/invitation', { ...page, 'content-length': String(length), ...more })
  const form = (length: number, more: Record<string, string> = {}) =>
    requestHead('POST', `/rdv/${secret}`, {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(length),
      ...more,
    })

  /** The status of the answer to these bytes from this address. */
  async function statusOf(from: string, bytes: string): Promise<number | undefined> {
    const client = new Client(url, from)
    await client.send(bytes)
    await client.until((received) => /\r\n\r\n/.test(received))
    client.socket.destroy()
    return statusesIn(client.received)[0]
  }

  /** Begins a body that never ends. Resolves when it is read (100) or refused. */
  async function begin(from: string, head: typeof form = form) {
    const client = new Client(url, from)
    await client.send(head(100, { expect: '100-continue' }))
    await client.until((received) => statusesIn(received).length > 0)
    return { client, status: statusesIn(client.received)[0] }
  }

  const token = async (of: Service) => JSON.stringify({ token: (await invited(of, 'gestion')).token })
  return { service, url, signIn, form, statusOf, begin, invitation: () => token(service) }
}

const read = requestHead('GET', `/rdv/${secret}`, {})

describe('bodies of strangers that never end', () => {
  it('of 426 connections from 3 addresses delay no sign-in, form or page from another address', async () => {
    const { service, signIn, form, begin, statusOf, invitation } = await open()
    const since = performance.now()
    const begun = await Promise.all(
      Array.from({ length: 426 }, (_, n) => begin(`127.0.0.${2 + (n % 3)}`, n % 2 === 0 ? form : signIn)),
    )
    const timesCutOff = Math.floor((performance.now() - since) / 5000)
    const refusedAtOnce = begun.filter(({ status }) => status === 503).length
    // 12 bodies are read at a time, and cut off after 5 s. On a slow machine, others are then admitted.
    expect(refusedAtOnce).toBeGreaterThanOrEqual(426 - 12 * (1 + timesCutOff))
    expect(refusedAtOnce).toBeLessThanOrEqual(426 - 12)
    expect(begun.filter(({ status }) => status === 100)).toHaveLength(426 - refusedAtOnce)

    const body = await invitation()
    expect(await statusOf('127.0.0.1', signIn(body.length) + body)).toBe(200)
    const answer = 'action=confirmer&version=1'
    expect(await statusOf('127.0.0.1', form(answer.length) + answer)).toBe(303)
    // Reads succeed even from an address that holds bodies.
    for (const from of ['127.0.0.1', '127.0.0.2']) expect(await statusOf(from, read)).toBe(200)

    // Refused bodies are counted, but not logged as failures.
    expect(service.failures).toEqual([])
    await service.sav.audit.finish()
    const refused = service.calls.filter(({ status }) => status === 503)
    expect(refused.length).toBeLessThanOrEqual(6)
    expect(refused.reduce((sum, { calls = 0 }) => sum + calls, 0)).toBe(refusedAtOnce)
  })
})

describe('a body of a stranger', () => {
  it.each([
    [16 * KiB, 401],
    [16 * KiB + 1, 413],
  ])('of %i bytes is answered by %i', async (length, status) => {
    const { signIn, statusOf } = await open()
    const body = JSON.stringify({ token: 'x' }).padEnd(length)
    expect(await statusOf('127.0.0.1', signIn(length) + body)).toBe(status)
  })

  it('has 5 s to arrive, through Node and fetch, however steadily it arrives', async () => {
    const { service, url, signIn } = await open()
    const body = JSON.stringify({ token: 'x' }).padEnd(10_000)
    /** Sends a piece every 100 ms, and the rest of it after `ms`. */
    async function* dripping(ms: number) {
      const since = performance.now()
      let at = 0
      for (; performance.now() - since < ms; at += 100) {
        yield body.slice(at, at + 100)
        await setTimeout(100)
      }
      yield body.slice(at)
    }
    async function byNode(ms: number) {
      const client = new Client(url)
      await client.send(signIn(body.length))
      for await (const piece of dripping(ms)) if (!client.closed && client.received === '') await client.send(piece)
      await client.until((received) => statusesIn(received).length > 0)
      return statusesIn(client.received)[0]
    }
    async function byFetch(ms: number) {
      const pieces = dripping(ms)
      const stream = new ReadableStream({
        async pull(controller) {
          const { done, value } = await pieces.next()
          if (done) controller.close()
          else controller.enqueue(Buffer.from(value))
        },
      })
      const headers = { host: 'localhost:1', origin: 'http://localhost:1', 'x-sav-console': '1' }
      const request = new Request('http://localhost:1/app/session/invitation', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: stream,
        duplex: 'half',
      })
      return (await createFetchHandler(service.api)(request, { ip: '192.0.2.1' })).status
    }
    expect(await Promise.all([byNode(4000), byNode(5500), byFetch(4000), byFetch(5500)])).toEqual([401, 408, 401, 408])
  })
})
