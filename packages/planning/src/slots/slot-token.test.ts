import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { keyIdOf } from '../../../core/src/crypto/sealing.js'
import { ValidationError } from '../../../core/src/errors.js'
import { createSlotTokens, slotToken, slotTokenMs } from './slot-token.js'

const key = randomBytes(32)
const tokens = createSlotTokens(key)
const now = Date.parse('2027-05-31T09:12:13.456Z')
const slot = { poseur_id: 7, debut: '2027-06-01T06:15:00.000Z', fin: '2027-06-01T08:15:00.000Z' }

/** The message with which a token is refused; undefined: it is not refused. */
function refusal(account: string, jeton: string, at = now, opener = tokens): string | undefined {
  try {
    opener.open(account, jeton, at)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError)
    const [problem] = error instanceof ValidationError ? error.details : []
    expect(problem?.field).toBe('jeton')
    return problem?.message
  }
}

const none = /not the token of a slot/

describe("a slot's token", () => {
  it('contains the slot', () => {
    expect(tokens.open('default', tokens.issue('default', slot, now), now)).toEqual(slot)
  })

  it('fits into a URL, and its longest form is accepted', () => {
    const longest = {
      poseur_id: Number.MAX_SAFE_INTEGER,
      debut: '9999-12-30T00:00:00.000Z',
      fin: '9999-12-31T00:00:00.000Z',
    }
    const jeton = tokens.issue('default', longest, Date.parse('9999-12-30T00:00:00Z'))
    expect(jeton).toMatch(/^[\w.-]+$/)
    expect(jeton.length).toBe(140)
    expect(slotToken().parse(jeton)).toBe(jeton)
  })

  it('is valid for fifteen minutes', () => {
    const jeton = tokens.issue('default', slot, now)
    const expires = Math.floor((now + slotTokenMs) / 1000) * 1000
    expect(refusal('default', jeton, expires - 1)).toBeUndefined()
    expect(refusal('default', jeton, expires)).toMatch(/expired at 2027-05-31T09:27:13.000Z: ask for slots again/)
  })

  it('of another account is refused like a token that was never issued', () => {
    const foreign = refusal('boutique-2', tokens.issue('default', slot, now))
    expect(foreign).toMatch(none)
    expect(refusal('default', 'c1.a.b.c')).toBe(foreign)
    // A foreign token is refused with the same message if it has expired, so that the answer reveals nothing.
    expect(refusal('boutique-2', tokens.issue('default', slot, now - 2 * slotTokenMs))).toBe(foreign)
  })

  it('cannot be altered in any character', () => {
    const jeton = tokens.issue('default', slot, now)
    const whole = jeton.length - 1
    // The last character of 43 carries four bits of the signature; the decoder drops the two that follow.
    for (let at = 0; at < whole; at += 1) {
      const other = jeton[at] === 'A' ? 'B' : 'A'
      expect(refusal('default', jeton.slice(0, at) + other + jeton.slice(at + 1)), `${at}`).toMatch(none)
    }
    for (let length = 0; length < whole; length += 1) expect(refusal('default', jeton.slice(0, length))).toMatch(none)
  })

  it('is not signed with the secret key itself', () => {
    const [version = '', keyId = '', text = ''] = tokens.issue('default', slot, now).split('.')
    const signed = createHmac('sha256', key)
      .update(JSON.stringify([version, 'default', text]))
      .digest('base64url')
    expect(refusal('default', [version, keyId, text, signed].join('.'))).toMatch(none)
  })

  it('signed before a key rotation is accepted while the old key is known', () => {
    const fresh = randomBytes(32)
    const jeton = tokens.issue('default', slot, now)
    const knowing = createSlotTokens(fresh, (keyId) => (keyId === keyIdOf(key) ? key : undefined))
    expect(knowing.open('default', jeton, now)).toEqual(slot)
    expect(refusal('boutique-2', jeton, now, knowing)).toMatch(none)
    expect(refusal('default', jeton, now, createSlotTokens(fresh))).toMatch(none)
  })

  it.each(['', '.', 'c1', 'c1...', `c1.${keyIdOf(key)}..`, `c1.${keyIdOf(key)}.W10.`, '🔧.🔧.🔧.🔧'])(
    'cannot be %j',
    (text) => {
      expect(refusal('default', text)).toMatch(none)
    },
  )
})
