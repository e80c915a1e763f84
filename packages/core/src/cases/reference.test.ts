import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatReference, parseReference } from './reference.js'

describe('a reference', () => {
  it.each([
    [1, 'SAV-2026-00001'],
    [42, 'SAV-2026-00042'],
    [9_999, 'SAV-2026-09999'],
    [10_000, 'SAV-2026-10000'],
    [99_999, 'SAV-2026-99999'],
    [100_000, 'SAV-2026-100000'],
    [1_234_567, 'SAV-2026-1234567'],
  ])('number %i of 2026 is written %s, and read back', (numero, text) => {
    expect(formatReference({ annee: 2026, numero })).toBe(text)
    expect(parseReference(text)).toEqual({ annee: 2026, numero })
  })

  it('is read back as it was written, whatever year and number', () => {
    const references = fc.record({
      annee: fc.integer({ min: 1970, max: 9999 }),
      numero: fc.integer({ min: 1, max: 1e9 }),
    })
    fc.assert(
      fc.property(references, (reference) => {
        expect(parseReference(formatReference(reference))).toEqual(reference)
      }),
    )
  })

  it.each([
    '',
    'SAV-2026-0001',
    'SAV-2026-000001',
    'SAV-2026-0100000',
    'SAV-226-00001',
    'SAV-12026-00001',
    'sav-2026-00001',
    ' SAV-2026-00001',
    'SAV-2026-00001 ',
    'SAV-2026-00001\n',
    'SAV-2026-0000١',
    'SAV-2026-+0001',
    'SAV-2026--0001',
    'SAV-2026-1e004',
    'SAV-2026-00001.0',
    'SAV2026-00001',
    'SAV-2026-99999999999999999999',
    'RDV-2026-00001',
  ])('%j is none', (text) => {
    expect(parseReference(text)).toBeUndefined()
  })

  it('anything that is read would be written the same', () => {
    const almost = fc.stringMatching(/^SAV-\d{3,5}-\d{4,18}$/)
    fc.assert(
      fc.property(almost, (text) => {
        const read = parseReference(text)
        if (read !== undefined) expect(formatReference(read)).toBe(text)
      }),
    )
  })
})
