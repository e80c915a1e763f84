import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatReference, parseReference } from './reference.js'

describe('a reference', () => {
  it.each([
    [1, 'SAV-2026-00001'],
    [42, 'SAV-2026-00042'],
    [99_999, 'SAV-2026-99999'],
    [100_000, 'SAV-2026-100000'],
    [1_234_567, 'SAV-2026-1234567'],
  ])('number %i of 2026 is formatted as %s, and parsed back', (numero, text) => {
    expect(formatReference({ annee: 2026, numero })).toBe(text)
    expect(parseReference(text)).toEqual({ annee: 2026, numero })
  })

  it.each([
    '',
    'SAV-2026-0001',
    'SAV-2026-000001',
    'SAV-2026-0100000',
    'SAV-12026-00001',
    'sav-2026-00001',
    ' SAV-2026-00001',
    'SAV-2026-00001\n',
    'SAV-2026-0000١',
    'SAV-2026-+0001',
    'SAV-2026-1e004',
    'SAV-2026-99999999999999999999',
  ])('cannot be parsed from %j', (text) => {
    expect(parseReference(text)).toBeUndefined()
  })

  it('that can be parsed is formatted as the same text', () => {
    const almost = fc.stringMatching(/^SAV-\d{3,5}-\d{4,18}$/)
    fc.assert(
      fc.property(almost, (text) => {
        const read = parseReference(text)
        if (read !== undefined) expect(formatReference(read)).toBe(text)
      }),
    )
  })
})
