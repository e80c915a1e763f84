import { afterEach, describe, expect, test } from 'vitest'
import { company, noticeLetter, reportLetter } from '../test/letters.js'
import { mailServer, rawServer } from '../test/smtp-servers.js'
import { createEmailCarrier, type EmailOptions } from './email.js'
import { frenchDates } from './french.js'
import { mailText } from './mail-text.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const noIntent = async () => {
  throw new Error('a mail that is repeated can be told by its Message-ID')
}

async function server(...given: Parameters<typeof mailServer>) {
  const opened = await mailServer(...given)
  cleanups.push(() => opened.close())
  return opened
}

async function talking(...given: Parameters<typeof rawServer>) {
  const opened = await rawServer(...given)
  cleanups.push(() => opened.close())
  return opened
}

function carrier(url: string, options: Partial<EmailOptions> = {}) {
  const made = createEmailCarrier({ url, from: 'SAV <service@sav.example>', timeZone: 'Europe/Paris', ...options })
  cleanups.push(() => made.close())
  return made
}

const refusal = (responseCode: number, text = 'no') => Object.assign(new Error(text), { responseCode })

describe('a report', () => {
  test('reaches the customer with the PDF, in French, as text and HTML', async () => {
    const { port, mails } = await server()
    const check_url = 'https://sav.example/verifier/abc'
    const result = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter({ check_url }), noIntent)
    expect(result).toMatchObject({ ok: true, status: 250, error: null, unreachable: false })
    expect(result.response).toBe('250 queued as 42')
    const [mail] = mails
    expect(mail?.subject).toBe('Procès-verbal de réception SAV-2026-00042 – Ateliers Lœuvre & Fils')
    expect(mail?.from?.value).toEqual([{ address: 'service@sav.example', name: 'Ateliers Lœuvre & Fils' }])
    expect(mail?.replyTo?.value).toEqual([{ address: 'sav@ateliers.example', name: '' }])
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    // 23:30 UTC is the next day in Paris.
    for (const body of [mail?.text, String(mail?.html)]) {
      expect(body).toContain('Bonjour Maëlle Dupré,')
      expect(body?.replaceAll('\u00a0', ' ')).toContain('clôturée le 16 janvier 2026')
      expect(body).toContain(reportLetter().hash_sha256)
      expect(body).toContain(check_url)
    }
    expect(mail?.attachments).toMatchObject([
      { filename: 'SAV-2026-00042-pv-de-reception.pdf', contentType: 'application/pdf' },
    ])
    expect(mail?.attachments[0]?.content.toString()).toBe('%PDF-1.7 the report')
  })

  test('without a signature is not called a reception', async () => {
    const { port, mails } = await server()
    await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter({ signed: false }), noIntent)
    expect(mails[0]?.subject).toContain('Rapport de fin d’intervention')
    expect(`${mails[0]?.text}${mails[0]?.html}`).not.toContain('réception')
    expect(mails[0]?.attachments[0]?.filename).toBe('SAV-2026-00042-rapport-de-fin-d-intervention.pdf')
  })

  test('has the same Message-ID at every attempt, and another letter another one', async () => {
    const { port, mails } = await server()
    const mailer = carrier(`smtp://127.0.0.1:${port}`)
    for (const id of ['dlv_1', 'dlv_1', 'dlv_2']) await mailer.carry(reportLetter({ id }), noIntent)
    expect(mails.map(({ messageId }) => messageId)).toEqual([
      '<dlv_1@sav.example>',
      '<dlv_1@sav.example>',
      '<dlv_2@sav.example>',
    ])
  })

  test('goes over a connection that is kept, and over a new one when the server has closed it', async () => {
    const mail = await server()
    const mailer = carrier(`smtp://127.0.0.1:${mail.port}`)
    expect(await mailer.carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
    expect(await mailer.carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
    expect(mail.connections()).toBe(1)
    mail.hangUp()
    expect(await mailer.carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
    expect(mail.connections()).toBe(2)
    expect(mail.mails).toHaveLength(3)
  })
})

describe('names and texts of others', () => {
  test('put nothing into the headers', async () => {
    const { port, mails, recipients } = await server()
    const injection = 'Eve\r\nBcc: eve@evil.example\r\n\r\nfree text'
    const letter = reportLetter({
      id: 'dlv_1>\r\nX-Evil: 1',
      societe: { ...company, raison_sociale: injection, email: 'a@b.example\r\nBcc: eve@evil.example' },
      client: { nom: injection, prenom: injection },
      reference: 'SAV-2026-00001',
    })
    expect(await carrier(`smtp://127.0.0.1:${port}`).carry(letter, noIntent)).toMatchObject({ ok: true })
    expect(recipients).toEqual(['maelle@client.example'])
    expect([...(mails[0]?.headers.keys() ?? [])].sort()).toEqual(
      ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
    )
    expect(mails[0]?.from?.value).toHaveLength(1)
    expect(mailText(letter, frenchDates('UTC')).subject).not.toMatch(/\p{Cc}/u)
  })

  test('put nothing into the HTML', async () => {
    const { port, mails } = await server()
    const letter = reportLetter({ client: { nom: '<script>alert("1")</script>', prenom: "<img src='x'>" } })
    await carrier(`smtp://127.0.0.1:${port}`).carry(letter, noIntent)
    const html = String(mails[0]?.html)
    expect(html).not.toMatch(/<script|<img/)
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)')
    expect(mails[0]?.text).toContain('<script>')
  })

  test.each([
    'a@b.example, eve@evil.example',
    'a@b.example\r\nRCPT TO:<eve@evil.example>',
    'Eve <eve@evil.example>',
    'nobody',
    '@b.example',
    'a b@c.example',
    '',
  ])('are no address: %j', async (to) => {
    const { port, mails, connections } = await server()
    const result = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter({ to }), noIntent)
    expect(result).toMatchObject({ ok: false, final: true, unreachable: false, error: 'this is no e-mail address' })
    expect(mails).toEqual([])
    expect(connections()).toBe(0)
  })
})

describe('a notice', () => {
  test('says which endpoint was disabled and why', async () => {
    const { port, mails } = await server()
    const notice = {
      type: 'endpoint_disabled',
      url: 'https://erp.example/hook',
      reason: '410 Gone',
      date: '2026-01-15T10:30:00.000Z',
    } as const
    expect(await carrier(`smtp://127.0.0.1:${port}`).carry(noticeLetter(notice), noIntent)).toMatchObject({ ok: true })
    expect(mails[0]?.subject).toBe('Un webhook a été désactivé')
    expect(mails[0]?.text).toContain('https://erp.example/hook')
    expect(mails[0]?.text?.replaceAll('\u00a0', ' ')).toContain('désactivé le 15 janvier 2026 à 11 h 30')
    expect(mails[0]?.text).toContain('410 Gone')
    expect(mails[0]?.attachments).toEqual([])
  })

  test('says which key is about to expire', async () => {
    const { port, mails } = await server()
    const notice = { type: 'key_expires', nom: 'ERP\r\nX: y', date: '2026-02-01T00:00:00.000Z' } as const
    expect(await carrier(`smtp://127.0.0.1:${port}`).carry(noticeLetter(notice), noIntent)).toMatchObject({ ok: true })
    expect(mails[0]?.subject?.replaceAll('\u00a0', ' ')).toBe('La clé d’API « ERP X: y » expire bientôt')
    expect(mails[0]?.text?.replaceAll('\u00a0', ' ')).toContain('le 1er février 2026 à 1 h 00')
  })
})

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
  ])('for good ends it at once', async (options, status, what) => {
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

  test('for now (greylisting) does not, and the next attempt arrives', async () => {
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

  test('of everybody at the greeting is not about this mail', async () => {
    const { port } = await talking((socket) => socket.end('554 no service\r\n'))
    const result = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter(), noIntent)
    expect(result).toMatchObject({ ok: false, status: 554, error: 'the mail server is not available: it answered 554' })
    expect(result).not.toHaveProperty('final')
  })

  test.each([535, 550, 454])(
    'of our password (%i) is our own fault: not final, and the password is told to nobody',
    async (status) => {
      const { port } = await server({
        disabledCommands: ['STARTTLS'],
        onAuth: (auth, _session, done) => done(refusal(status, `wrong password ${auth.password}`)),
      })
      const result = await carrier(`smtp://sav:s3cret%40x@127.0.0.1:${port}`).carry(reportLetter(), noIntent)
      expect(result).toMatchObject({ ok: false, status, unreachable: false, response: null })
      expect(result.error).toContain('check user and password of the SMTP URL')
      expect(result).not.toHaveProperty('final')
      expect(JSON.stringify(result)).not.toContain('s3cret')
    },
  )

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
  test('is read from the URL with its percent-encoding', async () => {
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
  test('is used where the server offers it, and its certificate is checked', async () => {
    const { port, mails } = await server({ disabledCommands: ['AUTH'] })
    const strict = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter(), noIntent)
    expect(strict).toMatchObject({ ok: false, status: null, unreachable: true })
    expect(strict.error).toContain('TLS')
    const trusting = carrier(`smtp://127.0.0.1:${port}?tls.rejectUnauthorized=false`)
    expect(await trusting.carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
    expect(mails).toHaveLength(1)
  })

  test('can be demanded: a server without it gets nothing', async () => {
    const { port, mails } = await server()
    const result = await carrier(`smtp://127.0.0.1:${port}?requireTLS=true`).carry(reportLetter(), noIntent)
    expect(result).toMatchObject({ ok: false })
    expect(result.error).toContain('TLS')
    expect(mails).toEqual([])
  })

  test('from the first byte is smtps', async () => {
    const { port } = await server({ secure: true })
    const url = `smtps://127.0.0.1:${port}?tls.rejectUnauthorized=false`
    expect(await carrier(url).carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
  })
})

describe('a server that is slow or away', () => {
  /** Answers as an SMTP server does, up to the command that it never answers. */
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

  test.each(['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'end of data'])('is given up in time: %s', async (stage) => {
    const { port } = await silentAt(stage)
    const mailer = carrier(`smtp://127.0.0.1:${port}`, { timeoutMs: 300 })
    const result = await mailer.carry(reportLetter(), noIntent)
    expect(result).toMatchObject({
      ok: false,
      status: null,
      unreachable: true,
      error: 'the mail server did not answer within 0.3 s',
    })
    expect(result).not.toHaveProperty('final')
    expect(result.durationMs).toBeLessThanOrEqual(300)
  })

  test('may drip: what is given up does not hold up the next', async () => {
    let first = true
    const { port } = await talking((socket) => {
      socket.write('220 hello\r\n')
      socket.on('data', (bytes) => {
        const text = bytes.toString()
        if (!first) return socket.write(/^DATA/.test(text) ? '354 go on\r\n' : '250 fine\r\n')
        // One line of a greeting without end, again and again.
        const drip = setInterval(() => socket.write('250-x\r\n'), 20)
        socket.on('close', () => {
          clearInterval(drip)
          first = false
        })
        return undefined
      })
    })
    const mailer = carrier(`smtp://127.0.0.1:${port}`, { timeoutMs: 400, connections: 1 })
    const dripped = await mailer.carry(reportLetter(), noIntent)
    expect(dripped).toMatchObject({ ok: false, unreachable: true })
    expect(dripped.durationMs).toBeLessThanOrEqual(400)
    expect(await mailer.carry(reportLetter(), noIntent)).toMatchObject({ ok: true })
  })

  test('may hang up at any time', async () => {
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

  test('may not be there', async () => {
    const { port, close } = await rawServer(() => {})
    await close()
    const result = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter(), noIntent)
    expect(result).toMatchObject({ ok: false, unreachable: true, error: 'the connection to the mail server failed' })
  })

  test('ends with 421 when it shuts down: that is an answer', async () => {
    const { port } = await server({ onMailFrom: (_address, _session, done) => done(refusal(421, 'shutting down')) })
    const result = await carrier(`smtp://127.0.0.1:${port}`).carry(reportLetter(), noIntent)
    expect(result).toMatchObject({ ok: false, status: 421, unreachable: false })
    expect(result).not.toHaveProperty('final')
  })
})

describe('settings', () => {
  test.each([
    'http://mail.example',
    'smtp://',
    'mail.example:587',
    'smtp://user:hunter2@mail.example?logger=true',
    'smtp://user:hunter2@mail.example?requireTLS=yes',
    'smtp://user:hunter2%@mail.example',
  ])('that do not parse are refused without telling the password: %s', (url) => {
    let message = ''
    try {
      carrier(url)
    } catch (error) {
      message = String(error)
    }
    expect(message).toMatch(/^RangeError: .*SMTP URL/)
    expect(message).not.toContain('hunter2')
  })

  test.each(['nobody', 'a@b.example, c@d.example', ''])('have one sender: %j', (from) => {
    expect(() => carrier('smtp://mail.example', { from })).toThrow(RangeError)
  })
})
