import { describe, expect, test } from 'vitest'
import { carrier, noIntent, refusal, server, talking } from '../test/emailing.js'
import { reportLetter } from '../test/letters.js'
import { rawServer } from '../test/smtp-servers.js'

describe('a refusal', () => {
  test.each([
    [
      { onRcptTo: (_: unknown, __: unknown, done: (error: Error) => void) => done(refusal(550, 'no such user')) },
      550,
      'the recipient',
    ],
    [{ onMailFrom: (_: unknown, __: unknown, done: (error: Error) => void) => done(refusal(553)) }, 553, 'the sender'],
    [
      {
        onData: (stream: { resume(): void }, _: unknown, done: (error: Error) => void) => {
          stream.resume()
          done(refusal(554, 'looks like spam'))
        },
      },
      554,
      'the message',
    ],
  ])('with a permanent status is final', async (options, status, what) => {
    const { port } = await server(options)
    const result = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter(), noIntent)
    expect(result).toMatchObject({
      ok: false,
      status,
      final: true,
      unreachable: false,
      error: `the mail server refused ${what}: ${status}`,
    })
    expect(result.response).toMatch(new RegExp(`^${status} `))
  })

  test('with a temporary status (greylisting) is retried, and the next attempt arrives', async () => {
    let seen = 0
    const { port, mails } = await server({
      onRcptTo: (_address, _session, done) => done(seen++ === 0 ? refusal(451, 'greylisted, try again later') : null),
    })
    const mailer = carrier(`smtp://127.0.0.1:${port}`)
    const first = await mailer.carry(reportLetter(), noIntent)
    expect(first).toMatchObject({
      ok: false,
      status: 451,
      unreachable: false,
      error: 'the mail server refused the recipient for now: 451',
    })
    expect(first).not.toHaveProperty('final')
    expect(await mailer.carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
    expect(mails).toHaveLength(1)
  })

  test('at the greeting does not concern the mail, so it is retried', async () => {
    const { port } = await talking((socket) => socket.end('554 no service\r\n'))
    const result = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter(), noIntent)
    expect(result).toMatchObject({ ok: false, status: 554, error: 'the mail server is not available: it answered 554' })
    expect(result).not.toHaveProperty('final')
  })

  test.each([535, 550, 454])('of our password (%i) is retried, and does not reveal the password', async (status) => {
    const { port } = await server({
      disabledCommands: ['STARTTLS'],
      onAuth: (auth, _session, done) => done(refusal(status, `wrong password ${auth.password}`)),
    })
    const result = await carrier(`smtp://sav:s3cret%40x@127.0.0.1:${port}`).carry(reportLetter(), noIntent)
    expect(result).toMatchObject({ ok: false, status, unreachable: false, response: null })
    expect(result.error).toContain('check user and password of the SMTP URL')
    expect(result).not.toHaveProperty('final')
    expect(JSON.stringify(result)).not.toContain('s3cret')
  })

  test('of a mail that is too large is final', async () => {
    const { port } = await server({ size: 10_000 })
    const mailer = carrier(`smtp://127.0.0.1:${port}`)
    expect(await mailer.carry(reportLetter({ pdf: Buffer.alloc(2000) }), noIntent)).toMatchObject({ ok: true })
    const large = await mailer.carry(reportLetter({ pdf: Buffer.alloc(20_000) }), noIntent)
    expect(large).toMatchObject({
      ok: false,
      final: true,
      status: 552,
      error: 'the mail server refused the message: 552',
    })
  })
})

describe('a password', () => {
  test('may be percent-encoded in the URL', async () => {
    let seen = ''
    const { port } = await server({
      disabledCommands: ['STARTTLS'],
      onAuth: (auth, _session, done) => {
        seen = `${auth.username}/${auth.password}`
        done(null, { user: 1 })
      },
    })
    expect(await carrier(`smtp://sav%40x:p%3A%2F%40@127.0.0.1:${port}`).carry(reportLetter(), noIntent)).toMatchObject({
      ok: true,
    })
    expect(seen).toBe('sav@x/p:/@')
  })
})

describe('TLS', () => {
  test('is used if the server offers it, with a check of its certificate', async () => {
    const { port, mails } = await server({ disabledCommands: ['AUTH'] })
    const strict = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter(), noIntent)
    expect(strict).toMatchObject({ ok: false, status: null, unreachable: true })
    expect(strict.error).toContain('TLS')
    const trusting = carrier(`smtp://127.0.0.1:${port}?tls.rejectUnauthorized=false`)
    expect(await trusting.carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
    expect(mails).toHaveLength(1)
  })

  test('can be required; a server without TLS then gets no mail', async () => {
    const { port, mails } = await server()
    const result = await carrier(`smtp://127.0.0.1:${port}?requireTLS=true`).carry(reportLetter(), noIntent)
    expect(result).toMatchObject({ ok: false })
    expect(result.error).toContain('TLS')
    expect(mails).toEqual([])
  })

  test('starts with the first byte for a smtps URL', async () => {
    const { port } = await server({ secure: true })
    const url = `smtps://127.0.0.1:${port}?tls.rejectUnauthorized=false`
    expect(await carrier(url).carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
  })
})

describe('a server', () => {
  /** An SMTP server that does not answer at one stage. */
  const silentAt = (stage: string) =>
    talking((socket) => {
      const say = (line: string, about: string) => {
        if (about !== stage) socket.write(line)
      }
      say('220 hello\r\n', 'greeting')
      let inData = false
      socket.on('data', (bytes) => {
        const text = bytes.toString()
        if (inData) {
          if (text.endsWith('\r\n.\r\n')) say('250 queued\r\n', 'end of data')
          return
        }
        const [command = ''] = text.split(/[ \r]/)
        inData = command === 'DATA'
        say(inData ? '354 go on\r\n' : '250 fine\r\n', command)
      })
    })

  test('that is silent at any stage times out', async () => {
    const isGivenUp = async (stage: string) => {
      const { port } = await silentAt(stage)
      const mailer = carrier(`smtp://127.0.0.1:${port}`, { timeoutMs: 300 })
      const result = await mailer.carry(reportLetter(), noIntent)
      expect(result, stage).toMatchObject({
        ok: false,
        status: null,
        unreachable: true,
        error: 'the mail server did not answer within 0.3 s',
      })
      expect(result, stage).not.toHaveProperty('final')
      expect(result.durationMs, stage).toBeLessThan(5000)
    }
    await Promise.all(['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'end of data'].map(isGivenUp))
  })

  test('that sends an answer slowly and without end times out, and does not delay the next mail', async () => {
    let first = true
    const { port } = await talking((socket) => {
      socket.write('220 hello\r\n')
      socket.on('data', (bytes) => {
        const text = bytes.toString()
        if (!first) return socket.write(/^DATA/.test(text) ? '354 go on\r\n' : '250 fine\r\n')
        // Answers without end, one line at a time.
        const drip = setInterval(() => socket.write('250-x\r\n'), 20)
        socket.on('close', () => {
          clearInterval(drip)
          first = false
        })
        return undefined
      })
    })
    const mailer = carrier(`smtp://127.0.0.1:${port}`, { timeoutMs: 1000, connections: 1 })
    const dripped = await mailer.carry(reportLetter(), noIntent)
    expect(dripped).toMatchObject({ ok: false, unreachable: true })
    expect(dripped.durationMs).toBeLessThan(5000)
    expect(await mailer.carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
  })

  test('that disconnects counts as unreachable, and the mail is retried', async () => {
    for (const at of ['', '220 hello\r\n']) {
      const { port } = await talking((socket) => (at === '' ? socket.destroy() : socket.end(at)))
      const result = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter(), noIntent)
      expect(result).toMatchObject({
        ok: false,
        status: null,
        unreachable: true,
        error: 'the connection to the mail server failed',
      })
      expect(result).not.toHaveProperty('final')
    }
  })

  test('that refuses connections counts as unreachable', async () => {
    const { port, close } = await rawServer(() => {})
    await close()
    const result = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter(), noIntent)
    expect(result).toMatchObject({ ok: false, unreachable: true, error: 'the connection to the mail server failed' })
  })

  test('that shuts down with 421 counts as reachable', async () => {
    const { port } = await server({ onMailFrom: (_address, _session, done) => done(refusal(421, 'shutting down')) })
    const result = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter(), noIntent)
    expect(result).toMatchObject({ ok: false, status: 421, unreachable: false })
    expect(result).not.toHaveProperty('final')
  })
})
