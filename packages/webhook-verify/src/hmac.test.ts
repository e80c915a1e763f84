import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readVectors } from '../test/deliveries.js'
import * as node from './hmac.node.js'
import * as web from './hmac.web.js'

/** Lengths below, at and above the block of SHA-256: HMAC pads shorter keys and hashes longer ones. */
const keyLengths = [1, 24, 32, 63, 64, 65, 200]
/** Messages around the padding of SHA-256, and around what fits into the workspace of the Node implementation. */
const bodyLengths = [0, 1, 55, 56, 63, 64, 65, 500, 8000, 8101, 8102, 8103, 8104, 8105, 100_000]

describe.each([
  ['node:crypto', node],
  ['WebCrypto', web],
])('%s', (_name, { macWith, equalInConstantTime }) => {
  test.each(readVectors())('computes the MACs of both schemes for the vector "$name"', async (vector) => {
    const shown = macWith(new TextEncoder().encode(vector.secret))
    const decoded = macWith(new Uint8Array(Buffer.from(vector.secret.slice(6), 'base64')))
    const prefix = `${vector.webhook_id}.${vector.webhook_timestamp}.`
    expect(`sha256=${await shown('', vector.body, 'hex')}`).toBe(vector.x_webhook_signature)
    expect(`v1,${await decoded(prefix, vector.body, 'base64')}`).toBe(vector.webhook_signature)
  })

  test.each(keyLengths)('agrees with createHmac for a key of %d bytes', async (keyLength) => {
    const key = new Uint8Array(randomBytes(keyLength))
    const mac = macWith(key)
    for (const length of bodyLengths) {
      const body = randomBytes(length)
      const expected = createHmac('sha256', key).update('préfixe.').update(body)
      expect(await mac('préfixe.', body, 'base64')).toBe(expected.digest('base64'))
    }
  })

  test('encodes text as UTF-8', async () => {
    const mac = macWith(new Uint8Array(32))
    for (const text of ['✅', '✅'.repeat(2690), '✅'.repeat(2720), 'e'.repeat(8126), '\ud800']) {
      expect(await mac('é', text, 'hex')).toBe(await mac('', Buffer.from(`é${text}`), 'hex'))
    }
  })

  test('does not mix up two concurrent computations', async () => {
    const mac = macWith(new Uint8Array(32))
    const [one, two] = await Promise.all([mac('a', 'b', 'hex'), mac('a', 'c', 'hex')])
    expect(one).toBe(createHmac('sha256', Buffer.alloc(32)).update('ab').digest('hex'))
    expect(two).toBe(createHmac('sha256', Buffer.alloc(32)).update('ac').digest('hex'))
  })

  test.each([
    ['', '', true],
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'xbc', false],
    ['abc', 'ab', false],
    ['abc', '', false],
    // In Latin-1 these two would be written as the same byte.
    ['A', '\u0141', false],
    ['ab', 'é', false],
  ])('finds %j and %j equal: %s', (a, b, equal) => {
    expect(equalInConstantTime(a, b)).toBe(equal)
  })
})
