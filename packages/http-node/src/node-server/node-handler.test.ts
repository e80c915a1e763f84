import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { receiver } from '../../test/receivers.js'
import { openService } from '../../test/service.js'
import { createNodeHandler } from './node-handler.js'

describe('the handler for a host’s own server', () => {
  it('answers calls with bodies, even if a large body is refused', async () => {
    const service = await openService()
    const url = await receiver(createNodeHandler(service.api))
    const post = (body: string) => fetch(`${url}/api/v1/sav`, { method: 'POST', headers: service.auth(), body })
    const made = await post(JSON.stringify({ client_id: service.client_id, description: 'La poignée est cassée.' }))
    expect([made.status, made.headers.get('location')]).toEqual([201, '/api/v1/sav/1'])
    const refused = await fetch(`${url}/api/v1/sav`, { method: 'POST', body: 'x'.repeat(4_000_000) })
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ error: 'Missing or invalid API key' })
  })

  it('gives addresses under the path where a framework has mounted it', async () => {
    const service = await openService()
    const handle = createNodeHandler(service.api)
    const url = await receiver((req, res) =>
      handle(Object.assign(req, { originalUrl: req.url, baseUrl: '/sav', url: req.url?.slice(4) }), res),
    )
    const body = JSON.stringify({ client_id: service.client_id, description: 'La poignée est cassée.' })
    const made = await fetch(`${url}/sav/api/v1/sav`, { method: 'POST', headers: service.auth(), body })
    expect([made.status, made.headers.get('location')]).toEqual([201, '/sav/api/v1/sav/1'])
  })

  it('passes the original request to authenticate', async () => {
    const given: unknown[] = []
    const service = await openService(undefined, {
      authenticate: ({ original }) => {
        given.push(original)
        return null
      },
    })
    let sent: IncomingMessage | undefined
    const handle = createNodeHandler(service.api)
    const url = await receiver((req, res) => {
      sent = req
      handle(req, res)
    })
    expect((await fetch(`${url}/api/v1/sav`)).status).toBe(401)
    expect(given).toEqual([sent])
  })

  it('answers 500 if the host has already read the body, and logs the cause', async () => {
    const service = await openService()
    const handle = createNodeHandler(service.api)
    const url = await receiver(async (req, res) => {
      const body: unknown = JSON.parse(await text(req))
      handle(Object.assign(req, { body }), res)
    })
    const answer = await fetch(`${url}/api/v1/sav`, { method: 'POST', headers: service.auth(), body: '{}' })
    expect(answer.status).toBe(500)
    expect(service.failures).toMatchObject([{ error: { message: expect.stringContaining('before any body parser') } }])
  })
})
