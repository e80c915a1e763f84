import { lazily } from './lazily.js'

/**
 * A key whose order by code points is the order of `Intl.Collator('fr')`, so that every database lists names as people
 * look for them: `de Vigny` under D, `Éluard` before `Zola`. Letters decide first, then accents, then capitals; of
 * several texts, the first one decides before the others. Non-French letters come last. At most 800 UTF-16 units.
 */
export function sortKey(...texts: readonly string[]): string {
  const levels = texts.flatMap((text) => {
    const plain = text
      .normalize('NFKD')
      .replace(/\p{C}+/gu, '')
      .replace(/[œæßøłđ]/gi, (letter) => apart[letter] ?? letter)
    return [base(plain), accents(plain), capitals(plain)]
  })
  return levels.join(between).slice(0, longest).toWellFormed()
}

/** A key and its account's name must fit into PostgreSQL's limit for an index row: 2,704 bytes. */
const longest = 800

/** A separator that sorts before all characters of a level, so that a name sorts before those that begin with it. */
const between = '\u{1}'

/** Letters that Unicode does not decompose, each with a mark that sorts it after its components. */
const apart: Readonly<Record<string, string>> = {
  ...{ œ: 'oe\u{338}', Œ: 'OE\u{338}', æ: 'ae\u{338}', Æ: 'AE\u{338}', ß: 'ss\u{338}', ø: 'o\u{338}', Ø: 'O\u{338}' },
  ...{ ł: 'l\u{335}', Ł: 'L\u{335}', đ: 'd\u{335}', Đ: 'D\u{335}' },
}

/** A text without accents and capitals, in which all other characters sort before letters and digits. */
const base = (text: string): string =>
  text
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, (sign) => `!${ranks().signs.get(sign) ?? sign}`)

const accents = (text: string): string =>
  text
    .replace(/\P{M}/gu, (sign) => ranks().variants.get(sign) ?? '.')
    .replace(/\p{M}/gu, (mark) => ranks().marks.get(mark) ?? mark)

const capitals = (text: string): string =>
  text
    .replace(/\p{M}+/gu, '')
    .replace(/\p{Lu}/gu, '2')
    .replace(/[^2]/gu, '1')

/** Represents each sign and accent by a character from `/` on, in the collator's order. */
const ranks = lazily(() => {
  const { compare } = new Intl.Collator('fr')
  const { compare: compareBases } = new Intl.Collator('fr', { sensitivity: 'base' })
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
  const rank = (index: number) => String.fromCodePoint(0x2f + index)
  const marks = from(0x300, 0x36f).toSorted((a, b) => compare(`e${a}`, `e${b}`))
  const signs = [...from(0x20, 0xbf), ...from(0x2010, 0x205e), '€']
    .filter((sign) => /[\p{P}\p{S}\p{Z}]/u.test(sign))
    .toSorted(compare)
  const firstOf = (sign: string) => signs.findIndex((other) => compareBases(other, sign) === 0)
  return {
    marks: new Map(marks.map((mark, index) => [mark, rank(index)])),
    /** Signs that differ only as accents do, such as `’` and `'`, share a rank. The second one is a variant. */
    signs: new Map(signs.map((sign) => [sign, rank(firstOf(sign))])),
    variants: new Map(signs.flatMap((sign, index) => (firstOf(sign) === index ? [] : [[sign, rank(index)]]))),
  }
})
