/** One word of a POSIX shell, whatever is in it. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
