import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { memoryStorage } from '../../../../../test/memory-storage.js'
import { as } from '../../../test/composed.js'
import { fetchDoor, openService, type Service } from '../../../test/service.js'
import { createFetchHandler } from '../../fetch.js'
import { maxWholeBytes } from '../../http/pieces.js'

const count = 450
const longest = 2000
/** The most rows that are read at once. */
const maxRows = 25

let service: Service
/** How many rows each read of the store asked for. */
let steps: number[]

beforeAll(async () => {
  const storage = await memoryStorage()
  const { cases } = storage.reads
  const rows = cases.rows.bind(cases)
  cases.rows = (account_id, ids) => {
    steps.push(ids.length)
    return rows(account_id, ids)
  }
  service = await openService(storage)
  const { sav, client_id } = service
  const inputs = Array.from({ length: count }, (_, n) => ({
    client_id,
    description: `${n} fuite `.repeat(300).slice(0, longest),
  }))
  await Promise.all(inputs.map((input) => sav.cases.create(as('default'), input)))
  return () => storage.close()
})

const path = '/api/v1/sav/export?format=csv'
function read(headers: Record<string, string> = {}, method = 'GET') {
  steps = []
  return createFetchHandler(service.api)(
    new Request(`http://api.test${path}`, { method, headers: service.auth(headers) }),
  )
}

it('a long sheet is read and sent in steps', async () => {
  const response = await read()
  expect([response.status, response.headers.has('content-length'), response.headers.has('etag')]).toEqual([
    200,
    false,
    false,
  ])
  const pieces: Uint8Array[] = []
  for await (const piece of response.body ?? []) pieces.push(piece)
  expect(steps).toEqual(Array.from({ length: count / maxRows }, () => maxRows))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(maxRows * longest * 1.2)
  const lines = Buffer.concat(pieces).toString().trimEnd().split('\n')
  expect(lines).toHaveLength(count + 1)
})

it('a long sheet is compressed if the client accepts gzip', async () => {
  const [plain, coded] = [await read(), await read({ 'accept-encoding': 'br, gzip' })]
  expect(coded.headers.get('content-encoding')).toBe('gzip')
  expect(gunzipSync(await coded.bytes())).toEqual(Buffer.from(await plain.bytes()))
})

it('no more rows are read for a client that has left, or that reads nothing', async () => {
  const reader = (await read()).body?.getReader()
  const before = steps.length
  expect(before * maxRows * longest).toBeLessThan(maxWholeBytes + 2 * maxRows * longest)
  await reader?.read()
  await reader?.cancel()
  expect(steps).toHaveLength(before)

  const leaving = new AbortController()
  leaving.abort()
  steps = []
  await createFetchHandler(service.api)(
    new Request(`http://api.test${path}`, { headers: service.auth(), signal: leaving.signal }),
  )
  expect(steps.length).toBeLessThan(2)
})

it('HEAD reads only enough to distinguish a long sheet from a short one', async () => {
  const response = await read({}, 'HEAD')
  expect([response.status, await response.text(), response.headers.has('content-length')]).toEqual([200, '', false])
  expect(steps.length * maxRows * longest).toBeLessThan(maxWholeBytes + 2 * maxRows * longest)
})

it('a short sheet is sent as a whole, with its length and ETag', async () => {
  const door = fetchDoor(service.api)
  const call = (headers = {}) =>
    door.call('GET', '/api/v1/sav/export?format=csv&recherche=449', { headers: service.auth(headers) })
  const { status, headers, bytes } = await call()
  expect([status, headers['content-length']]).toEqual([200, String(bytes.length)])
  expect((await call({ 'if-none-match': headers['etag'] })).status).toBe(304)
})
