import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { listening, post, sender } from '../../test/receivers.js'

describe('the answer', () => {
  it.each([
    ['100 Continue', ['HTTP/1.1 100 Continue\r\n\r\n']],
    ['100 Continue with fields', ['HTTP/1.1 100 Continue\r\nDate: today\r\nServer: IIS/5.0\r\n\r\n']],
    ['102 Processing, twice', ['HTTP/1.1 102 Processing\r\n\r\n', 'HTTP/1.1 102 Processing\r\n\r\n']],
    ['103 Early Hints', ['HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n']],
    ['several', ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Hints\r\n\r\n', 'HTTP/1.1 100 Continue\r\n\r\n']],
  ])('may come after interim answers: %s', async (_, interim) => {
    const body = 'HTTP/1.1 100 Continue\r\n\r\n'
    const answer = `${interim.join('')}HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    for (const pieces of [[answer], answer.match(/.{1,5}/gs) ?? []]) {
      const url = await listening(
        createServer((socket) => {
          socket.setNoDelay().on('error', () => {})
          // Called for each request on the connection.
          socket.on('data', async () => {
            for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve))
          })
        }),
      )
      const from = sender({ maxConnectionsPerOrigin: 1 })
      for (let n = 0; n < 2; n += 1)
        expect(await post(url, { from })).toMatchObject({ ok: true, status: 200, response: body })
    }
  })
})
