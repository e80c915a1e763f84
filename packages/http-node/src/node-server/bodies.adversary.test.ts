import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Client, called, serve, start } from '../../test/listening.js'
import { requestHead, statusesIn } from '../../test/raw-socket.js'
import { openService, type Service } from '../../test/service.js'

const MiB = 1024 * 1024
const largeBytes = 8 * MiB
const photo = `data:image/jpeg;base64,${Buffer.alloc(4 * MiB, 'a photo, or nearly').toString('base64')}`

type Headers = Readonly<Record<string, string>>

async function open() {
  const service = await openService(undefined, { maxBodyBytesAtOnce: 4 * largeBytes })
  // No test takes this long, even on a busy machine. Another test covers bodies that are too slow.
  const { url } = await start(service.api, { minSpeed: { graceMs: 120_000, bytesPerSecond: 10_000 } })
  const headersOf = async (account_id: string) =>
    service.auth({ authorization: `Bearer ${await service.key(['sav:write'], account_id)}` })

  /** Sends everything but the last byte of a large body. */
  async function hold(headers: Headers): Promise<Client> {
    const client = new Client(url)
    await client.send(requestHead('POST', '/api/v1/sav', { ...headers, 'content-length': String(largeBytes) }))
    await client.send(Buffer.alloc(largeBytes - 1, ' '))
    return client
  }

  async function statusOf(headers: Headers, body: unknown): Promise<number> {
    const answer = await fetch(`${url}/api/v1/sav`, { method: 'POST', headers, body: JSON.stringify(body) })
    await answer.arrayBuffer()
    return answer.status
  }

  return { service, headersOf, hold, statusOf }
}

/** Resolves when this many of the clients have an answer. */
async function refused(held: readonly Client[], count: number): Promise<void> {
  while (held.filter(({ received }) => statusesIn(received).length > 0).length < count) await setTimeout(1)
}

const caseOf = ({ client_id }: Pick<Service, 'client_id'>) => ({ client_id, description: 'La porte ne ferme plus.' })

describe('large bodies that never end', () => {
  it('of one key delay neither the small writes nor the photos of another key', async () => {
    const { service, headersOf, hold, statusOf } = await open()
    const slow = await headersOf('default')
    const held = await Promise.all([hold(slow), hold(slow), hold(slow), hold(slow)])
    await refused(held, 3)

    const other = await headersOf('default')
    expect(await statusOf(other, caseOf(service))).toBe(201)
    // 422: the photo is not an image, but the body was read to its end.
    expect(await statusOf(other, { ...caseOf(service), photos: [photo] })).toBe(422)
    // Small writes of the same key succeed as well.
    expect(await statusOf(slow, caseOf(service))).toBe(201)
    expect(held.map(({ received }) => statusesIn(received)).sort()).toEqual([[], [503], [503], [503]])
  })

  it('of all keys of one account delay no other account', async () => {
    const { service, headersOf, hold, statusOf } = await open()
    const held: Client[] = []
    for (let i = 0; i < 4; i += 1) held.push(await hold(await headersOf('default')))
    await refused(held, 2)

    const other = await headersOf('other')
    expect(await statusOf(other, caseOf(service.foreign))).toBe(201)
    expect(await statusOf(other, { ...caseOf(service.foreign), photos: [photo] })).toBe(422)
    expect(held.map(({ received }) => statusesIn(received)).sort()).toEqual([[], [], [503], [503]])
  })

  it('release their memory when they are cut off', async () => {
    const { service, headersOf, hold, statusOf } = await open()
    const headers = await headersOf('default')
    for (let i = 0; i < 3; i += 1) {
      const client = await hold(headers)
      await called(service, () => client.socket.destroy())
    }
    expect(await statusOf(headers, { ...caseOf(service), notes: ' '.repeat(largeBytes) })).toBe(422)
  })
})

it('hundreds of small bodies that never end delay no other key', async () => {
  const service = await openService(undefined, { maxBodyBytesAtOnce: 16 * MiB })
  // No test takes this long, even on a busy machine. Another test covers bodies that are too slow.
  const { url } = await start(service.api, { minSpeed: { graceMs: 120_000, bytesPerSecond: 10_000 } })
  const begun = requestHead('POST', '/api/v1/sav', { ...service.auth(), 'content-length': '65536' })
  await Promise.all(Array.from({ length: 200 }, () => new Client(url).send(begun + ' '.repeat(60_000))))
  await setTimeout(200)
  const headers = service.auth({ authorization: `Bearer ${await service.key(['sav:write'])}` })
  const body = JSON.stringify(caseOf(service))
  expect((await fetch(`${url}/api/v1/sav`, { method: 'POST', headers, body })).status).toBe(201)
})

it('a body that slows down after a burst is cut off', async () => {
  const { service, url } = await serve({ minSpeed: { graceMs: 500, bytesPerSecond: 10_000 } })
  const client = new Client(url)
  const declared = { ...service.auth(), 'content-length': String(2 * MiB) }
  await client.send(requestHead('POST', '/api/v1/sav', declared) + ' '.repeat(MiB))
  const since = performance.now()
  // If the fast first bytes counted, the client could continue for a hundred seconds.
  while (!client.closed && performance.now() - since < 20_000) {
    client.socket.write(' '.repeat(10))
    await setTimeout(20)
  }
  expect(statusesIn(client.received)).toEqual([408])
})
