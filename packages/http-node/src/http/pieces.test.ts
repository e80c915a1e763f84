import { request } from 'node:http'
import { expect, it, vi } from 'vitest'
import { apiRequest } from '../../test/service.js'
import { createFetchHandler } from '../fetch.js'
import { listen } from '../node-server/listener.js'
import type { Api } from './exchange.js'
import { wholeWhenShort } from './pieces.js'

/** An API whose every answer has `count` pieces of 64 KiB. */
function inPieces(count: number) {
  const made = { pieces: 0, ended: Promise.withResolvers<void>() }
  async function* pieces() {
    try {
      while (made.pieces < count) {
        made.pieces += 1
        yield Buffer.alloc(64 * 1024)
      }
    } finally {
      made.ended.resolve()
    }
  }
  const api: Api = async () => ({ status: 200, headers: ['Content-Type', 'text/csv'], body: '', pieces: pieces() })
  return { api, made }
}

const quarterOfGiB = 4096

it('through fetch, a piece is produced after the previous one is read, and none once the client has left', async () => {
  const { api, made } = inPieces(quarterOfGiB)
  const response = await createFetchHandler(api)(new Request('http://api.test/'))
  const reader = response.body?.getReader()
  for (let taken = 1; taken <= 3; taken += 1) {
    await reader?.read()
    expect(made.pieces).toBe(taken)
  }
  await reader?.cancel()
  await made.ended.promise
  expect(made.pieces).toBe(3)
})

it('through Node, no more is produced than the socket takes; the answer ends when the client leaves', async () => {
  const { api, made } = inPieces(quarterOfGiB)
  const listener = await listen(api, { host: '127.0.0.1', port: 0 })
  const call = request(listener.url).end()
  await new Promise((resolve) => call.once('response', resolve))
  call.destroy()
  await made.ended.promise
  expect(made.pieces).toBeLessThan(quarterOfGiB / 4)
  await listener.close()
})

it('an answer in pieces arrives complete, and its connection stays open for another call', async () => {
  const { api } = inPieces(40)
  const listener = await listen(api, { host: '127.0.0.1', port: 0 })
  const response = await fetch(listener.url)
  expect([(await response.bytes()).length, response.headers.get('connection')]).toEqual([40 * 64 * 1024, 'keep-alive'])
  await listener.close()
})

it('V8 optimises for size only while at least four answers are produced at once', async () => {
  const flags = vi.spyOn(process.getBuiltinModule('node:v8'), 'setFlagsFromString').mockImplementation(() => {})
  const broken = Promise.withResolvers<void>()
  async function* pieces(n: number) {
    yield Buffer.from('begun')
    await broken.promise
    if (n % 2 === 0) throw new Error('the store is gone')
  }
  const answers = [0, 1, 2, 3, 4].map((n) =>
    wholeWhenShort(apiRequest(), { status: 200, headers: [], body: '', pieces: pieces(n) }),
  )
  const settled = Promise.allSettled(answers)
  await new Promise(setImmediate)
  expect(flags.mock.calls.at(-1)).toEqual(['--optimize-for-size'])
  broken.resolve()
  expect((await settled).map(({ status }) => status)).toContain('rejected')
  expect(flags.mock.calls.at(-1)).toEqual(['--no-optimize-for-size'])
  flags.mockRestore()
})
