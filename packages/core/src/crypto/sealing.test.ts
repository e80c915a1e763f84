import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSealer } from './sealing.js'
import { Secret } from './secret.js'

const key = randomBytes(32)
const sealer = createSealer(key, randomBytes)
const place = 'default/wh_1/secret'

describe('a sealed text', () => {
  it.each(['', 'whsec_abc', 'é 🔧 \0 \n', 'x'.repeat(100_000)])('opens to the same text', (plain) => {
    expect(sealer.open(sealer.seal(new Secret(plain), place), place).reveal()).toBe(plain)
  })

  it('does not contain its content, and differs every time', () => {
    const sealed = [1, 2, 3].map(() => sealer.seal(new Secret('whsec_abcdefgh'), place))
    expect(new Set(sealed).size).toBe(3)
    for (const text of sealed) {
      expect(text).not.toContain('abcdefgh')
      expect(text).not.toContain(Buffer.from('whsec_abcdefgh').toString('base64url'))
    }
  })

  it('opens for no other owner', () => {
    const sealed = sealer.seal(new Secret('whsec_abc'), place)
    for (const other of ['', 'default/wh_2/secret', 'other/wh_1/secret', 'default/wh_1/headers', `${place} `])
      expect(() => sealer.open(sealed, other)).toThrow('unable to authenticate')
  })

  it('does not open with another key, and the error names the keys', () => {
    const other = createSealer(randomBytes(32), randomBytes)
    expect(() => other.open(sealer.seal(new Secret('whsec_abc'), place), place)).toThrow(/key/)
  })

  it('does not open with another key under the same id', () => {
    const other = createSealer(randomBytes(32), randomBytes)
    const disguised = sealer.seal(new Secret('whsec_abc'), place).replace(sealer.keyId, other.keyId)
    expect(() => other.open(disguised, place)).toThrow('unable to authenticate')
  })

  it('does not open if any byte was altered', () => {
    const sealed = sealer.seal(new Secret('whsec_abcdefgh'), place)
    const [version, keyId, iv, text] = sealed.split('.')
    for (const [part, rebuilt] of [
      [iv, (altered: string) => [version, keyId, altered, text].join('.')],
      [text, (altered: string) => [version, keyId, iv, altered].join('.')],
    ] as const) {
      const bytes = Buffer.from(part ?? '', 'base64url')
      for (let at = 0; at < bytes.length; at += 1) {
        const altered = Buffer.from(bytes)
        altered[at] = (altered[at] ?? 0) ^ 1
        expect(() => sealer.open(rebuilt(altered.toString('base64url')), place)).toThrow('unable to authenticate')
      }
    }
  })

  it('does not open if it was truncated', () => {
    const [version, keyId, iv, text] = sealer.seal(new Secret('whsec_abcdefgh'), place).split('.')
    const bytes = Buffer.from(text ?? '', 'base64url')
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = [version, keyId, iv, bytes.subarray(0, length).toString('base64url')].join('.')
      expect(() => sealer.open(cut, place)).toThrow(/Invalid authentication tag length|unable to authenticate/)
    }
  })

  it.each(['', 'whsec_abc', 'v1', 'v1...', 'v2.a.b.c', '....'])('cannot be %j', (text) => {
    expect(() => sealer.open(text, place)).toThrow(/^(not a sealed text|sealed with key )/)
  })
})

describe('a sealer', () => {
  it.each([0, 16, 31, 33, 64])('refuses a key of %i bytes', (length) => {
    expect(() => createSealer(randomBytes(length), randomBytes)).toThrow(/32 bytes/)
  })

  it('has the first 16 characters of its key’s SHA-256 as id', () => {
    expect(sealer.keyId).toBe(createHash('sha256').update(key).digest('hex').slice(0, 16))
    expect(createSealer(randomBytes(32), randomBytes).keyId).not.toBe(sealer.keyId)
  })
})
