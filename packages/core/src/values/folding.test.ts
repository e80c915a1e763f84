import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from './folding.js'

describe('folding', () => {
  it.each([
    ['Façade', 'facade'],
    ['Noe\u0308l', 'noel'],
    ['Lebœuf, Vandœuvre', 'leboeuf vandoeuvre'],
    ['Strauß, STRAUẞ', 'strauss strauss'],
    ['Søren, Łukasz, Đorđe', 'soren lukasz dorde'],
    ['ﬁnition de 3 m²', 'finition de 3 m2'],
    ['Réglage   de\tla\nporte', 'reglage de la porte'],
    ['\u00a0espace insécable\u202f', 'espace insecable'],
    ['SAV-2026-00001', 'sav 2026 00001'],
    ["d'évier, sous_évier (100%)", 'd evier sous evier 100'],
    ['', ''],
    ['日本', '日本'],
    ['🔧 Clé', 'cle'],
    ['🔧 %', ''],
  ])('%j becomes %j', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  const byUnicode = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replaceAll('œ', 'oe')
      .replaceAll('æ', 'ae')
      .replaceAll('ß', 'ss')
      .replaceAll('ø', 'o')
      .replaceAll('ł', 'l')
      .replaceAll('đ', 'd')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()

  it('follows Unicode, for each character and for long texts', () => {
    for (let unit = 0; unit < 0x2200; unit += 1) {
      const character = String.fromCharCode(unit)
      for (const text of [character, `É${character}é`, `a ${character} b`]) expect(fold(text)).toBe(byUnicode(text))
    }
    for (const length of [4095, 4096, 4097]) expect(fold('É'.repeat(length))).toBe('e'.repeat(length))
    const mixed = fc.string({ unit: fc.constantFrom(...'aÉß²ªœŒİıſ’…-_ \u0301\u00ad\u200d日🔧Σς') })
    fc.assert(
      fc.property(mixed, (text) => {
        expect(fold(text)).toBe(byUnicode(text))
      }),
    )
  })

  it('composed and decomposed letters become the same', () => {
    const french = fc.string({ unit: fc.constantFrom(...'aàâäæcçeéèêëiîïoôöœuùûüyÿ AÀÇÉ') })
    fc.assert(
      fc.property(french, (text) => {
        expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')))
      }),
    )
  })

  it('a folded text does not change when folded again', () => {
    const latin = fc.string({ unit: fc.integer({ min: 0x20, max: 0x24f }).map((code) => String.fromCodePoint(code)) })
    fc.assert(
      fc.property(latin, (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
    )
  })
})
