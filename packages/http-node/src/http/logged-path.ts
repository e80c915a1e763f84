const maxLength = 200

/** The beginnings of our own secrets, and of header values. */
const secret = /sav_(live|cal|rdv|ses|inv)_|whsec_|^bearer\b/i

// Two searches, because one expression for both would take quadratic time.
const hasPassword = (text: string) => text.lastIndexOf('@') > text.indexOf(':') && text.includes(':')

/**
 * A path without a route, safe for logs: it keeps only segments that some route has. Any other may be a secret or a
 * person's name, which would remain after an erasure.
 */
export const loggedPath = (path: string, known: ReadonlySet<string>): string =>
  path
    .slice(0, 16_384)
    .split('/')
    .map((segment) => (known.has(segment) ? segment : '…'))
    .join('/')
    .slice(0, maxLength)

/** Whether the text contains one of our secrets, or a password in a URL. */
export const holdsSecret = (text: string): boolean => secret.test(text) || hasPassword(text)
