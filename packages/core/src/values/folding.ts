/**
 * Text for searches: its words (letters and digits) in lower case, without accents and ligatures, separated by one
 * space. A store keeps the folded form beside the text, so that `facade` finds `Façade` in every database.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (isFrench.test(lower))
    return lower
      .replace(accented, (letter) => letters[letter] ?? '')
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[œæßøłđ]/g, (letter) => letters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * The form of an e-mail address for comparisons. Only ASCII letters become lower case: `toLowerCase` would also turn
 * U+212A into `k`, and so one person's address into another's.
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

const letters: Readonly<Record<string, string>> = {
  ...{ à: 'a', â: 'a', ä: 'a', ç: 'c', é: 'e', è: 'e', ê: 'e', ë: 'e', î: 'i', ï: 'i', ô: 'o', ö: 'o', ù: 'u', û: 'u' },
  ...{ ü: 'u', ÿ: 'y' },
  // Unicode does not decompose these.
  ...{ œ: 'oe', æ: 'ae', ß: 'ss', ø: 'o', ł: 'l', đ: 'd' },
}

/** French text and its punctuation, in lower case: it needs no Unicode classes, which take three times as long. */
const isFrench = /^[\0-\x7f\xa0«»°’–—…àâäçéèêëîïôöùûüÿœæ]*$/
const accented = /[àâäçéèêëîïôöùûüÿœæ]/g
