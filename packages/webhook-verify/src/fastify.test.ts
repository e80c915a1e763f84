import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { delivery, now, secret } from '../test/deliveries.js'
import { doorContract, earlyMistakes } from '../test/doors.js'
import { webhookPlugin } from './fastify.js'

const path = '/webhooks/sav'

describe('the Fastify plugin', () => {
  doorContract(async (secrets, handler, options) => {
    const app = fastify({ forceCloseConnections: true })
    app.register(webhookPlugin, { path, secret: secrets, handler, ...options })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    return { url: `${address}${path}`, close: () => app.close() }
  })
  earlyMistakes((badSecret, options) =>
    fastify().register(webhookPlugin, { path, secret: badSecret, handler: () => undefined, ...options }),
  )

  test('does not change how the bodies of other routes are parsed', async () => {
    const app = fastify()
    app.register(webhookPlugin, { path, secret, handler: () => undefined, now })
    app.post('/other', async (request) => request.body)
    const response = await app.inject({ method: 'POST', url: '/other', payload: { nom: 'Durand' } })
    expect(response.json()).toEqual({ nom: 'Durand' })
    await app.close()
  })

  test('works beside the application’s own body parser', async () => {
    const app = fastify()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, async () => 'parsed elsewhere')
    app.register(webhookPlugin, { path, secret, handler: () => undefined, now })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const { body, headers } = await delivery()
    expect((await fetch(`${address}${path}`, { method: 'POST', body, headers })).status).toBe(200)
    await app.close()
  })
})
