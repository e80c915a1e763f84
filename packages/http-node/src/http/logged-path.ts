const maxLength = 200

/** How our own secrets begin, what a header would hold. */
const secret = /sav_(live|cal|rdv|ses|inv)_|whsec_|^bearer\b/i

// Neither asks one expression for two things that may be far apart: that takes time by the square of a path's length.
const hasPassword = (text: string) => text.lastIndexOf('@') > text.indexOf(':') && text.includes(':')

/**
 * A path that no route has, fit for logs: the segments that some route has. Any other may be a secret, or the name of a
 * person, which would stay after their erasure.
 */
export const loggedPath = (path: string, known: ReadonlySet<string>): string =>
  path
    .slice(0, 16_384)
    .split('/')
    .map((segment) => (known.has(segment) ? segment : '…'))
    .join('/')
    .slice(0, maxLength)

/** Whether a secret of ours stands in it as it is. */
export const holdsSecret = (text: string): boolean => secret.test(text) || hasPassword(text)
