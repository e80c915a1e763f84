import type { Mac } from './mac.js'

const encoder = new TextEncoder()

/** WebCrypto: Deno, Bun, workers and browsers (there in secure contexts only). */
export function macWith(key: Uint8Array<ArrayBuffer>): Mac {
  const imported = crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return async (prefix, body, encoding) => {
    const head = encoder.encode(prefix)
    const rest = typeof body === 'string' ? encoder.encode(body) : body
    const message = new Uint8Array(head.length + rest.length)
    message.set(head)
    message.set(rest, head.length)
    const digest = new Uint8Array(await crypto.subtle.sign('HMAC', await imported, message))
    return encoding === 'hex' ? hex(digest) : btoa(String.fromCharCode(...digest))
  }
}

/** The duration of the comparison reveals only the lengths. */
export function equalInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
