/** One word of a POSIX shell, whatever it contains. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The same, without unnecessary quotes. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quotedWord(text))
