import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Secret } from './secret.js'

const text = 'whsec_c2VjcmV0'

describe('a secret', () => {
  it.each([
    [text, true],
    [`${text} `, false],
    [text.slice(0, -1), false],
    [`x${text.slice(1)}`, false],
    ['', false],
    ['[secret]', false],
  ])('equals a secret of %j: %s', (other, same) => {
    expect(new Secret(text).equals(new Secret(other))).toBe(same)
  })

  it('returns its text only from `reveal`', () => {
    expect(new Secret(text).reveal()).toBe(text)
  })

  it('is never shown by accident', () => {
    const secret = new Secret(text)
    const shown = [
      `${secret}`,
      String(secret),
      JSON.stringify({ secret }),
      inspect({ deep: [secret] }, { showHidden: true, depth: 9 }),
      JSON.stringify(Object.entries(secret)),
      JSON.stringify(Object.getOwnPropertyNames(secret)),
      new Error('refused', { cause: secret }).stack,
      inspect(new Error('refused', { cause: secret })),
    ]
    for (const each of shown) expect(each).not.toContain('c2Vj')
    expect(() => structuredClone(secret)).not.toThrow()
    expect(JSON.stringify(structuredClone(secret))).toBe('{}')
  })

  it('can only be compared in constant time: the compiler refuses anything else', () => {
    const secret = new Secret(text)
    // @ts-expect-error a secret is no text
    expect(secret === text).toBe(false)
    // @ts-expect-error a secret is no text
    expect(text !== secret).toBe(true)
    // @ts-expect-error a text is no secret
    expect(() => secret.equals(text)).toThrow(TypeError)
    // @ts-expect-error an object with the same methods is not a secret
    const forged: Secret = { equals: () => true, reveal: () => text, toString: () => '', toJSON: () => '' }
    expect(() => secret.equals(forged)).toThrow(TypeError)
    // @ts-expect-error a secret cannot be used as a text
    const leaked: string = secret
    expect(leaked).toBe(secret)
    // Two secrets are never the same object, so `===` reveals nothing about their texts.
    const again = new Secret(text)
    expect(secret === again).toBe(false)
  })
})
