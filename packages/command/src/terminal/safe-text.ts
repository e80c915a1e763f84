import type { Writable } from 'node:stream'

/**
 * Control characters, including U+009B, which begins a sequence like ESC [, and characters that change the direction of
 * text.
 */
export const unsafe = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * JSON that is safe on any terminal: characters that could rewrite the screen are escaped, without changing the value.
 * JSON.stringify escapes only characters below U+0020.
 */
export const jsonText = (value: unknown, indent?: number): string => safeJson(JSON.stringify(value, null, indent))

/** The same for existing JSON. */
export const safeJson = (json: string): string =>
  json.replace(unsafe, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const escapeCharacter = '\u001b'

/** Our own sequences: a rewritten line or screen, each at the beginning of a write, and colours. */
const unsafeUnlessOurs = new RegExp(
  `(^\\r${escapeCharacter}\\[K|^${escapeCharacter}\\[H${escapeCharacter}\\[2J|${escapeCharacter}\\[[\\d;]*m|[\\n\\t])|${unsafe.source}`,
  'gu',
)

/**
 * The same stream. A terminal gets nothing that could rewrite the screen, except this command's own sequences; anything
 * else gets every character, for programs to read.
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
