/**
 * Text as search compares it: its words, which are letters and digits, in lower case, without accents, with one space
 * between them. A store keeps the folded form beside what it searches, so that `facade` finds `Façade` alike in every
 * database.
 */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Whether each word of `searched` begins a word of `text`; both are folded. */
export function isFoundIn(text: string, searched: string): boolean {
  const words = ` ${text}`
  return searched.split(' ').every((word) => words.includes(` ${word}`))
}
