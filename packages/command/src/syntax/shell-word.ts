/** One word of a POSIX shell, whatever is in it. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The same, without quotes where none are needed. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quotedWord(text))
