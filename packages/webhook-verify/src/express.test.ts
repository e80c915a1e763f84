import express, { type ErrorRequestHandler } from 'express'
import { describe, expect, test } from 'vitest'
import { delivery, now, secret } from '../test/deliveries.js'
import { doorContract, earlyMistakes, listen } from '../test/doors.js'
import { webhook } from './express.js'

/** Express's own would print every error of these tests. */
const quietly: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  response.status(500).send(error instanceof Error ? error.message : 'unknown')
}

describe('in Express, before its body parsers', () => {
  doorContract((secrets, handler, options) =>
    listen(
      express()
        .post('/webhooks/sav', webhook(secrets, handler, options))
        .use(express.json(), quietly),
    ),
  )
  earlyMistakes((badSecret, options) => webhook(badSecret, () => undefined, options))
})

describe('in Express, behind a body parser', () => {
  const post = async (parser: express.RequestHandler) => {
    const door = await listen(
      express()
        .use(parser)
        .post(
          '/webhooks/sav',
          webhook(secret, () => undefined, { now }),
        )
        .use(quietly),
    )
    const { body, headers } = await delivery()
    const response = await fetch(door.url, { method: 'POST', body, headers })
    const answer = { status: response.status, body: await response.text() }
    await door.close()
    return answer
  }

  test('that keeps the raw bytes, the handler verifies those', async () => {
    expect(await post(express.raw({ type: '*/*' }))).toMatchObject({ status: 200 })
    const keep = express.json({ verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }) })
    expect(await post(keep)).toMatchObject({ status: 200 })
  })

  test('that leaves only an object, the handler names the remedy instead of answering 401', async () => {
    expect(await post(express.json())).toEqual({ status: 500, body: expect.stringContaining('handler first') })
  })
})
