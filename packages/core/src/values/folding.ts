/**
 * Text for searches: its words (letters and digits) in lower case, without accents and ligatures, separated by one
 * space. A store keeps the folded form beside the text, so that `facade` finds `Façade` in every database.
 */
export function fold(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()
    .replace(/[œæßøłđ]/g, (letter) => letters[letter] ?? letter)
  // A faster way for French text and its punctuation: Unicode classes of letters and marks take several times as long.
  if (/^[\0-\x7f\xa0-\xbf\u2010-\u205e]*$/.test(bare)) return bare.replace(/[^a-z0-9]+/g, ' ').trim()
  return bare
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * The form of an e-mail address for comparisons. Only ASCII letters become lower case: `toLowerCase` would also turn
 * U+212A into `k`, and so one person's address into another's.
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Letters that Unicode does not decompose. */
const letters: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss', ø: 'o', ł: 'l', đ: 'd' }
