/**
 * Text as search compares it: lower case, without accents, words separated by single spaces. A store keeps the folded
 * form beside what it searches, so that `facade` finds `Façade` alike in every database.
 */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')
}
