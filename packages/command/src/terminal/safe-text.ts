import type { Writable } from 'node:stream'

/**
 * Characters that are not safe on a terminal: control characters, including U+009B, which begins a sequence as ESC [
 * does, and characters that change the direction of text.
 */
export const unsafe = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * A value as JSON that is safe on any terminal. Characters that could rewrite the screen are escaped, which does not
 * change the value. JSON.stringify escapes only those below U+0020.
 */
export const jsonText = (value: unknown, indent?: number): string => safeJson(JSON.stringify(value, null, indent))

/** Makes existing JSON safe on any terminal, as `jsonText` does. */
export const safeJson = (json: string): string =>
  json.replace(unsafe, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const escapeCharacter = '\u001b'

/**
 * Unsafe characters, except in the sequences that this command writes itself: those for rewriting a line or the screen,
 * at the beginning of a write, and those for colours.
 */
const unsafeUnlessOurs = new RegExp(
  `(^\\r${escapeCharacter}\\[K|^${escapeCharacter}\\[H${escapeCharacter}\\[2J|${escapeCharacter}\\[[\\d;]*m|[\\n\\t])|${unsafe.source}`,
  'gu',
)

/**
 * Guards a stream. A terminal gets nothing that could rewrite the screen, except this command's own sequences. Any
 * other stream is unchanged, because a program may read it.
 */
export function guarded(stream: Writable): Writable {
  if (!('isTTY' in stream && stream.isTTY === true)) return stream
  const write = (chunk: string | Uint8Array, done?: () => void) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    return stream.write(
      text.replace(unsafeUnlessOurs, (_, ours?: string) => ours ?? '\u{fffd}'),
      done,
    )
  }
  return new Proxy(stream, {
    get(_, name) {
      if (name === 'write') return write
      const value: unknown = Reflect.get(stream, name, stream)
      return typeof value === 'function' ? value.bind(stream) : value
    },
  })
}
