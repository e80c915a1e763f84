const maxLength = 200

/** How our own secrets begin, what a header would hold. */
const secret = /sav_(live|cal|rdv|ses|inv)_|whsec_|^bearer\b/i

const inARow = /[\w-]{32,}/g

// Neither asks one expression for two things that may be far apart: that takes time by the square of a path's length.
const hasPassword = (text: string) => text.lastIndexOf('@') > text.indexOf(':') && text.includes(':')

/** Ours without their beginning, and what others make: 32 characters in a row, of all three kinds. */
const holdsRandom = (text: string) =>
  (text.match(inARow) ?? []).some((row) => /[a-z]/.test(row) && /[A-Z]/.test(row) && /\d/.test(row))

/** Encodings of encodings that are looked through. */
const maxDepth = 5

/** A path that no route has, fit for logs: what may be a secret was put into an address by mistake, however it is written. */
export const loggedPath = (path: string): string =>
  path
    .slice(0, 16_384)
    .split('/')
    .map((segment) => (isSecret(segment) ? '…' : segment))
    .join('/')
    .slice(0, maxLength)

/** Whether a secret of ours stands in it as it is. */
export const holdsSecret = (text: string): boolean => secret.test(text) || hasPassword(text)

function isSecret(segment: string): boolean {
  let text = segment
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    if (holdsSecret(text) || holdsRandom(text)) return true
    const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    if (decoded === text) return false
    text = decoded
  }
  // No honest caller needs so many layers.
  return true
}
