import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { describe, expect, it } from 'vitest'

/** The library that evidence is hashed with, on the examples of RFC 8785 itself. */
describe('canonical JSON', () => {
  it('writes the example of RFC 8785 §3.2.2 byte for byte as §3.2.4 does', () => {
    const input = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`)
    const expected = Buffer.from(
      `7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72
       75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65 72 73 22 3a
       5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31
       65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37
       5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30
       30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d`.replaceAll(/\s/g, ''),
      'hex',
    )
    expect(Buffer.from(canonicalize(input) ?? '')).toEqual(expected)
  })

  it('sorts names by UTF-16 code units, as RFC 8785 §3.2.3 does', () => {
    const input = {
      '€': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      1: 'One',
      '😀': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      ö: 'Latin Small Letter O With Diaeresis',
    }
    expect(
      canonicalize(input)
        ?.match(/"([^"\\]|\\.)*"(?=[,}])/g)
        ?.map((text) => JSON.parse(text)),
    ).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  it.each([
    [0, '0'],
    [-0, '0'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [9.999999999999997e22, '9.999999999999997e+22'],
    [1e23, '1e+23'],
    [333333333.3333332, '333333333.3333332'],
    [1424953923781206.2, '1424953923781206.2'],
  ])('writes the number %f of RFC 8785, appendix B, as %s', (number, text) => {
    expect(canonicalize(number)).toBe(text)
  })

  it('has one hash whatever the order of the names', () => {
    const [a, b] = [
      { x: 1, y: { b: 2, a: [1, 2] } },
      { y: { a: [1, 2], b: 2 }, x: 1 },
    ]
    expect(hash('sha256', canonicalize(a) ?? '')).toBe(hash('sha256', canonicalize(b) ?? ''))
  })
})
