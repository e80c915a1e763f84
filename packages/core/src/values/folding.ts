/**
 * Text as search compares it: its words, which are letters and digits, in lower case, without accents and ligatures, with one
 * space between them. A store keeps the folded form beside what it searches, so that `facade` finds `Façade` alike in every
 * database.
 */
export function fold(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()
    .replace(/[œæßøłđ]/g, (letter) => letters[letter] ?? letter)
  // French and its punctuation: to ask Unicode for letters and marks takes several times as long.
  if (/^[\0-\x7f\xa0-\xbf\u2010-\u205e]*$/.test(bare)) return bare.replace(/[^a-z0-9]+/g, ' ').trim()
  return bare
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * The form of an e-mail address for comparing two. Only ASCII letters lose their case: `toLowerCase` also makes
 * a plain `k` of U+212A, and so one person's address of another's.
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Letters that Unicode does not take apart. */
const letters: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss', ø: 'o', ł: 'l', đ: 'd' }
