import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { createdEvent, delivery, now, otherSecret, readVectors, secret, sentAt } from '../test/deliveries.js'
import { WebhookVerificationError } from './errors.js'
import { sign } from './sign.js'
import { safeVerify, type VerifyOptions, verify, verifySignature } from './verify.js'

const schemes = ['standard', 'specification'] as const

/** The reason for which a delivery is refused, or null. */
async function refusal(
  { body, headers }: { body: string | Uint8Array; headers: Record<string, string | string[] | null> },
  options: VerifyOptions & { secrets?: string | string[] } = {},
) {
  const { secrets = secret, ...rest } = options
  const result = await safeVerify(body, headers, secrets, { now, ...rest })
  return result.ok ? null : result.reason
}

describe.each(schemes)('the scheme "%s"', (scheme) => {
  test.each(readVectors())('accepts the vector "$name"', async (vector) => {
    const headers = {
      'x-webhook-signature': vector.x_webhook_signature,
      'x-webhook-timestamp': String(vector.webhook_timestamp),
      'webhook-id': vector.webhook_id,
      'webhook-timestamp': String(vector.webhook_timestamp),
      'webhook-signature': vector.webhook_signature,
    }
    const options = { scheme, now: vector.webhook_timestamp * 1000 }
    await verifySignature(vector.body, headers, vector.secret, options)
    await expect(verifySignature(vector.body, headers, secret.replace('C', 'D'), options)).rejects.toThrow(/fits/)
  })

  test('refuses a body of other bytes that decode to the same text', async () => {
    const [ff, fe] = readVectors().filter(({ name }) => name.startsWith('invalid UTF-8'))
    if (ff === undefined || fe === undefined) throw new Error('the vectors have changed')
    expect(Buffer.from(ff.body).toString()).toBe(Buffer.from(fe.body).toString())
    const { headers } = await delivery({ body: ff.body })
    await verifySignature(ff.body, headers, secret, { scheme, now })
    await expect(verifySignature(fe.body, headers, secret, { scheme, now })).rejects.toThrow(/fits/)
    await expect(verifySignature(ff.body.toString(), headers, secret, { scheme, now })).rejects.toThrow(/fits/)
  })

  test('takes the body as text, Buffer, Uint8Array or ArrayBuffer', async () => {
    const { body, headers } = await delivery()
    const forms = [new TextDecoder().decode(body), Buffer.from(body), body, new Uint8Array(body).buffer]
    for (const form of forms) expect(await verify(form, headers, secret, { scheme, now })).toEqual(createdEvent)
  })

  test('refuses a body with one changed bit in any byte', async () => {
    const { body, headers } = await delivery()
    for (let i = 0; i < body.length; i++) {
      const tampered = Uint8Array.from(body)
      tampered[i] = (body[i] ?? 0) ^ (1 << (i % 8))
      expect(await refusal({ body: tampered, headers }, { scheme })).toBe('signature_mismatch')
    }
    expect(await refusal({ body: body.subarray(1), headers }, { scheme })).toBe('signature_mismatch')
    expect(await refusal({ body: Buffer.concat([body, Buffer.from(' ')]), headers }, { scheme })).toBe(
      'signature_mismatch',
    )
  })

  test('refuses a signature with one changed character anywhere', async () => {
    const { body, headers } = await delivery()
    const name = scheme === 'standard' ? 'webhook-signature' : 'x-webhook-signature'
    const signature = headers[name] ?? ''
    for (let i = 0; i < signature.length; i++) {
      const changed = `${signature.slice(0, i)}${signature[i] === 'A' ? 'B' : 'A'}${signature.slice(i + 1)}`
      expect(await refusal({ body, headers: { ...headers, [name]: changed } }, { scheme })).not.toBeNull()
    }
    for (const changed of [signature.slice(0, -1), `${signature}A`]) {
      expect(await refusal({ body, headers: { ...headers, [name]: changed } }, { scheme })).toBe('signature_mismatch')
    }
  })

  test.each([
    [-301, 'timestamp_too_new'],
    [-300, null],
    [0, null],
    [300, null],
    [301, 'timestamp_too_old'],
  ])('a clock %d s after the delivery was signed gives %s', async (seconds, reason) => {
    expect(await refusal(await delivery(), { scheme, now: now + seconds * 1000 })).toBe(reason)
  })

  test.each([
    [59, null],
    [60, null],
    [61, 'timestamp_too_old'],
    [-61, 'timestamp_too_new'],
  ])('with a tolerance of 60 s, a clock %d s after the delivery was signed gives %s', async (seconds, reason) => {
    const options = { scheme, toleranceSeconds: 60, now: now + seconds * 1000 }
    expect(await refusal(await delivery(), options)).toBe(reason)
  })

  test.each(['', '-1', '+1768473000', '1768473000.0', '1768473000 ', '0x6968c8a8', '1e9', '١٧٦٨٤٧٣٠٠٠', 'NaN'])(
    'refuses the timestamp %j even if the signature is valid',
    async (timestamp) => {
      const body = JSON.stringify(createdEvent)
      const { headers } = await delivery({ body })
      const key = Buffer.from(secret.slice(6), 'base64')
      const code = createHmac('sha256', key).update(`evt_1.${timestamp}.${body}`).digest('base64')
      const forged = {
        ...headers,
        'webhook-timestamp': timestamp,
        'x-webhook-timestamp': timestamp,
        'webhook-signature': `v1,${code}`,
      }
      expect(await refusal({ body, headers: forged }, { scheme })).toBe(
        timestamp === '' ? 'missing_header' : 'malformed_timestamp',
      )
    },
  )

  test('accepts either of two secrets, in any order, but no other', async () => {
    const sent = await delivery()
    expect(await refusal(sent, { scheme, secrets: [secret, otherSecret] })).toBeNull()
    expect(await refusal(sent, { scheme, secrets: [otherSecret, secret] })).toBeNull()
    expect(await refusal(sent, { scheme, secrets: [otherSecret] })).toBe('signature_mismatch')
  })

  test.each([
    ['', 'missing'],
    [[], 'missing'],
    [[secret, ''], 'missing'],
    ['my-secret', '9 characters'],
    [secret.slice(6), '44 characters'],
    [`${secret}\n`, 'white space'],
    [secret.slice(0, -1), '49 characters'],
    [secret.replace('=', '!'), '50 characters'],
    [`whsec_${Buffer.alloc(23).toString('base64')}`, '24 bytes'],
  ])('refuses the secret %j without printing it', async (secrets, words) => {
    const { body, headers } = await delivery()
    const error = await safeVerify(body, headers, secrets, { scheme, now }).catch((reason: unknown) => reason)
    if (!(error instanceof TypeError)) throw new Error('it was not refused')
    expect(error.message).toContain(words)
    expect(error.message).not.toContain(secret.slice(10, 40))
    expect(error.message).not.toContain('my-secret')
  })

  test('a secret of 24 bytes is long enough', async () => {
    const short = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
    const signed = await sign({ id: 'evt_1', timestamp: sentAt, body: '{}', secret: short })
    await verifySignature('{}', signed, short, { scheme, now })
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a tolerance of %d s', async (seconds) => {
    const { body, headers } = await delivery()
    await expect(safeVerify(body, headers, secret, { scheme, now, toleranceSeconds: seconds })).rejects.toThrow(
      TypeError,
    )
  })

  test.each([new Date(now), now, () => now, now / 1000, () => now / 1000, () => new Date(now)])(
    'accepts the clock as %s',
    async (clock) => {
      expect(await refusal(await delivery(), { scheme, now: clock })).toBeNull()
    },
  )

  test.each([-1, Number.NaN, new Date(Number.NaN)])('refuses a clock of %s', async (clock) => {
    await expect(refusal(await delivery(), { scheme, now: clock })).rejects.toThrow(/a Date or a Unix time/)
  })

  test('reads the machine’s clock by default', async () => {
    const { body, headers } = await delivery({ timestamp: Math.floor(Date.now() / 1000) })
    await verify(body, headers, secret, { scheme })
    const old = await delivery()
    await expect(verify(old.body, old.headers, secret, { scheme })).rejects.toThrow(/s old/)
  })
})

describe('the standard scheme', () => {
  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('requires exactly one %s', async (name) => {
    const { body, headers } = await delivery()
    const { [name]: value = '', ...rest } = headers
    expect(await refusal({ body, headers: rest })).toBe('missing_header')
    expect(await refusal({ body, headers: { ...rest, [name]: null } })).toBe('missing_header')
    expect(await refusal({ body, headers: { ...rest, [name]: [value, value] } })).toBe('duplicate_header')
    expect(await refusal({ body, headers: { ...rest, [name]: `${value}, ${value}` } })).toBe('duplicate_header')
  })

  test('signs the id and the timestamp', async () => {
    const { body, headers } = await delivery()
    expect(await refusal({ body, headers: { ...headers, 'webhook-id': 'evt_2' } })).toBe('signature_mismatch')
    expect(await refusal({ body, headers: { ...headers, 'webhook-timestamp': `${sentAt + 1}` } })).toBe(
      'signature_mismatch',
    )
    expect(await refusal({ body, headers: { ...headers, 'webhook-timestamp': `0${sentAt}` } })).toBe(
      'signature_mismatch',
    )
  })

  test('refuses a delivery that has only the specification’s headers', async () => {
    const { body, headers } = await delivery()
    const stripped = {
      'x-webhook-signature': headers['x-webhook-signature'] ?? '',
      'x-webhook-timestamp': headers['x-webhook-timestamp'] ?? '',
    }
    expect(await refusal({ body, headers: stripped })).toBe('missing_header')
    expect(await refusal({ body, headers: stripped }, { scheme: 'specification' })).toBeNull()
  })

  test('finds the valid signature among several signatures and versions', async () => {
    const { body, headers } = await delivery()
    const right = headers['webhook-signature'] ?? ''
    const among = (signatures: string) => refusal({ body, headers: { ...headers, 'webhook-signature': signatures } })
    expect(await among(`v1a,AAAA v1,AAAA ${right}`)).toBeNull()
    expect(await among(`v1,AAAA v1,${right}`)).toBe('signature_mismatch')
    expect(await among(right.replace('v1,', 'v1a,'))).toBe('malformed_signature')
    expect(await among(right.replace('v1,', ''))).toBe('malformed_signature')
  })

  test('accepts a delivery with either secret during a rotation', async () => {
    const body = JSON.stringify(createdEvent)
    const headers = await sign({ id: 'evt_1', timestamp: sentAt, body, secret, nextSecret: otherSecret })
    expect(await refusal({ body, headers: { ...headers } }, { secrets: secret })).toBeNull()
    expect(await refusal({ body, headers: { ...headers } }, { secrets: otherSecret })).toBeNull()
    expect(await refusal({ body, headers: { ...headers } }, { secrets: otherSecret, scheme: 'specification' })).toBe(
      'signature_mismatch',
    )
  })
})

describe('the scheme of the specification', () => {
  const scheme = 'specification'

  test.each(['x-webhook-signature', 'x-webhook-timestamp'])('requires exactly one %s', async (name) => {
    const { body, headers } = await delivery()
    const { [name]: value = '', ...rest } = headers
    expect(await refusal({ body, headers: rest }, { scheme })).toBe('missing_header')
    expect(await refusal({ body, headers: { ...rest, [name]: [value, value] } }, { scheme })).toBe('duplicate_header')
  })

  test('requires lowercase hexadecimal after sha256=', async () => {
    const { body, headers } = await delivery()
    const right = headers['x-webhook-signature'] ?? ''
    const given = (signature: string) =>
      refusal({ body, headers: { ...headers, 'x-webhook-signature': signature } }, { scheme })
    expect(await given(right.toUpperCase().replace('SHA256', 'sha256'))).toBe('signature_mismatch')
    expect(await given(right.replace('sha256=', ''))).toBe('malformed_signature')
    expect(await given(right.replace('sha256', 'sha1'))).toBe('malformed_signature')
  })

  test('accepts a changed timestamp, which it does not sign', async () => {
    const { body, headers } = await delivery()
    const later = { ...headers, 'x-webhook-timestamp': `${sentAt + 86_400}` }
    expect(await refusal({ body, headers: later }, { scheme, now: now + 86_400_000 })).toBeNull()
  })
})

describe('the event', () => {
  test('comes from the body, whatever the unsigned header says', async () => {
    const { body, headers } = await delivery()
    const event = await verify(body, { ...headers, 'x-webhook-event': 'sav.closed' }, secret, { now })
    expect(event.event).toBe('sav.created')
  })

  test('of an unknown kind is returned', async () => {
    const newer = { event: 'sav.archived', timestamp: '2030-01-01T00:00:00.000Z', data: { event_id: 'evt_1' } }
    const { body, headers } = await delivery({ body: JSON.stringify(newer) })
    expect(await verify(body, headers, secret, { now })).toEqual(newer)
  })

  test.each([
    '',
    '{',
    'null',
    '[]',
    '"sav.created"',
    '{}',
    '{"event":1,"timestamp":"","data":{}}',
    '{"event":"sav.created","timestamp":null,"data":{}}',
    '{"event":"sav.created","timestamp":""}',
    '{"event":"sav.created","timestamp":"","data":null}',
    '{"event":"sav.created","timestamp":"","data":[]}',
  ])('cannot be read from the signed body %j', async (body) => {
    expect(await refusal(await delivery({ body }))).toBe('malformed_body')
  })

  test('cannot be read from a signed body that is not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"event":"sav.created","timestamp":"'), Buffer.from([0xff, 0x22])])
    expect(await refusal(await delivery({ body }))).toBe('malformed_body')
  })

  test('is not parsed before the signature is verified', async () => {
    expect(await refusal({ ...(await delivery()), body: '{' })).toBe('signature_mismatch')
  })
})

describe('verify and safeVerify', () => {
  test('give the same reason, verify in an error and safeVerify in its result', async () => {
    const { body, headers } = await delivery()
    const error = await verify(body, headers, otherSecret, { now }).catch((reason: unknown) => reason)
    if (!(error instanceof WebhookVerificationError)) throw new Error('it was not refused')
    const { reason, message } = error
    expect(await safeVerify(body, headers, otherSecret, { now })).toEqual({ ok: false, reason, message })
    expect(reason).toBe('signature_mismatch')
    expect(error.name).toBe('WebhookVerificationError')
    expect(error.stack).not.toContain(otherSecret)
  })

  test('throw an error that names the body parser for a body that is already parsed', async () => {
    const { headers } = await delivery()
    const parsed: object = createdEvent
    // @ts-expect-error this is what an application in JavaScript does
    await expect(safeVerify(parsed, headers, secret, { now })).rejects.toThrow(/body parser/)
  })

  test('throw an error for an unknown scheme and for a missing secret', async () => {
    const { body, headers } = await delivery()
    // @ts-expect-error not a scheme
    await expect(safeVerify(body, headers, secret, { now, scheme: 'none' })).rejects.toThrow(/'none'/)
    // @ts-expect-error what an unset environment variable gives
    await expect(safeVerify(body, headers, undefined, { now })).rejects.toThrow('The webhook secret is missing.')
  })
})

describe('compared with the npm package standardwebhooks', () => {
  test('that package verifies our signatures', async () => {
    const body = JSON.stringify({ ...createdEvent, accents: 'Façade ✅' })
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = await sign({ id: 'evt_1', timestamp, body, secret, nextSecret: otherSecret })
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(new Webhook(otherSecret).verify(body, headers)).toEqual(JSON.parse(body))
  })

  test('we verify that package’s signatures', async () => {
    const body = JSON.stringify({ ...createdEvent, accents: 'Façade ✅' })
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': `${sentAt}`,
      'webhook-signature': new Webhook(secret).sign('msg_1', new Date(now), body),
    }
    expect(await verify(body, headers, secret, { now })).toEqual(JSON.parse(body))
  })
})
