import { describe, expect, it } from 'vitest'
import type { RoundSolver } from '../../planning/src/index.js'
import { as } from '../test/composed.js'
import { openService } from '../test/service.js'
import { createApi } from './create-api.js'
import { createFetchHandler } from './fetch.js'
import { createNodeHandler } from './node-server/node-handler.js'

describe('the fetch handler', () => {
  it('refuses a key that is bound to addresses if it is not given the caller’s address', async () => {
    const service = await openService()
    const handle = createFetchHandler(service.api)
    const { key } = await service.sav.keys.create(as('default'), {
      nom: 'caisse',
      permissions: ['sav:read'],
      ips: ['0.0.0.0/0'],
    })
    const request = () =>
      new Request('https://api.test/api/v1/sav?limite=1', { headers: { authorization: `Bearer ${key}` } })
    expect((await handle(request())).status).toBe(401)
    expect((await handle(request(), { ip: '192.0.2.1' })).status).toBe(200)
  })

  it('passes the context of a call to authenticate', async () => {
    const { sav } = await openService()
    const handle = createFetchHandler(
      createApi<{ readonly user: string }>({
        sav,
        authenticate: ({ context: { user } }) =>
          user === '' ? null : { account_id: 'default', type: 'utilisateur', id: user, nom: user, permissions: 'all' },
      }),
    )
    const request = () => new Request('https://api.test/api/v1/compte')
    expect((await handle(request(), { context: { user: 'zoe' } })).status).toBe(200)
    expect((await handle(request(), { context: { user: '' } })).status).toBe(401)
    // @ts-expect-error: the handler needs the context.
    const without = () => handle(request(), { ip: '192.0.2.1' })
    // @ts-expect-error: the handler for node:http takes no context.
    const atNode = () => createNodeHandler(createApi<{ readonly user: string }>({ sav }))
    expect([typeof without, typeof atNode]).toEqual(['function', 'function'])
  })

  it('answers 400 when the body breaks off', async () => {
    const service = await openService()
    const handle = createFetchHandler(service.api)
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
      pull: (controller) => controller.error(new Error('gone')),
    })
    const sent = new Request('https://api.test/api/v1/sav', {
      method: 'POST',
      headers: service.auth(),
      body,
      duplex: 'half',
    })
    const response = await handle(sent)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ success: false, error: 'Incomplete body' })
    expect(service.failures).toEqual([])
  })

  it('aborts the computation of rounds when the client disconnects', async () => {
    const asked = Promise.withResolvers<AbortSignal | undefined>()
    const roundSolver: RoundSolver = {
      solve(_problem, signal) {
        asked.resolve(signal)
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
      },
    }
    const service = await openService(undefined, { roundSolver })
    const leaving = new AbortController()
    const request = new Request('https://api.test/v1/planning/tournees/optimiser', {
      method: 'POST',
      headers: service.auth(),
      body: JSON.stringify({ date: '2026-04-07', mode: 'apercu' }),
      signal: leaving.signal,
    })
    const answered = createFetchHandler(service.api)(request)
    const signal = await asked.promise
    leaving.abort()
    expect((await answered).status).toBe(499)
    expect(signal?.aborted).toBe(true)
    expect(service.failures).toEqual([])
  })
})
