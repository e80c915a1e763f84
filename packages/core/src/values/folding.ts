/**
 * Text as search compares it: its words, which are letters and digits, in lower case, without accents and ligatures, with one
 * space between them. A store keeps the folded form beside what it searches, so that `facade` finds `Façade` alike in every
 * database.
 */
export function fold(text: string): string {
  return foldedLatin(text) ?? foldedAny(text)
}

/**
 * The form of an e-mail address by which two are compared. Only ASCII letters lose their case: `toLowerCase` also makes
 * a plain `k` of U+212A, and so one person's address of another's.
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Letters that Unicode does not take apart. */
const letters: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss', ø: 'o', ł: 'l', đ: 'd' }

function foldedAny(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[œæßøłđ]/g, (letter) => letters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const space = 0x20

/** In UTF-16 units. */
const longest = 4096
const workspace = Buffer.alloc(longest)

let ofLatin: Uint8Array | undefined

/**
 * The folded form of each UTF-16 unit that French is written with: a space for what stands between words, 0 for a unit
 * whose folded form is not in Latin-1. None depends on its neighbours.
 */
function latinTable(): Uint8Array {
  const table = new Uint8Array(0x2070)
  const fill = (from: number, to: number) => {
    for (let unit = from; unit < to; unit += 1) {
      // Between letters: a part of the folded form may be a space.
      const folded = foldedAny(`x${String.fromCharCode(unit)}x`).slice(1, -1)
      const code = folded.charCodeAt(0)
      table[unit] = folded.length === 1 && code < 0x100 ? code : 0
    }
  }
  fill(0, 0x180)
  // Punctuation: apostrophes, dashes, the ellipsis.
  fill(0x2000, 0x2070)
  return table
}

/** Undefined where only `foldedAny` can tell. It takes a sixth of the time: 2.4 µs instead of 13 for 350 characters. */
function foldedLatin(text: string): string | undefined {
  if (text.length > longest) return undefined
  ofLatin ??= latinTable()
  let length = 0
  let isBetween = false
  for (let i = 0; i < text.length; i += 1) {
    const code = ofLatin[text.charCodeAt(i)]
    if (code === undefined || code === 0) return undefined
    if (code === space) isBetween = length > 0
    else {
      if (isBetween) workspace[length++] = space
      isBetween = false
      workspace[length++] = code
    }
  }
  return workspace.toString('latin1', 0, length)
}
