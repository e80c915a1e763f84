/** Quotes any text as one word of a POSIX shell. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Like `quotedWord`, but without quotes if none are needed. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quotedWord(text))
