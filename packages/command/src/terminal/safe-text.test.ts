import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { guarded, jsonText } from './safe-text.js'

const hostile = 'Durand\u001b[2J\u009b31m\u007f\u0085\u202edefil\u2066\r\u0007'

it('JSON keeps its value, but contains no character that a terminal obeys', () => {
  const value = { nom: hostile, [hostile]: [hostile], é: '😀\n\t"\\' }
  for (const indent of [undefined, 2]) {
    const text = jsonText(value, indent)
    expect(JSON.parse(text)).toEqual(value)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
  }
})

function written(stream: { readonly isTTY?: boolean }, ...chunks: (string | Uint8Array)[]): string {
  let text = ''
  const target = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  const out = guarded(Object.assign(target, stream))
  for (const chunk of chunks) out.write(chunk)
  return text
}

it('a terminal gets only colours and the sequences of sav itself', () => {
  const ours = ['\u001b[1mSAV\u001b[22m\n', '\r\u001b[K3 rows', '\u001b[H\u001b[2Jscreen\n']
  expect(written({ isTTY: true }, ...ours)).toBe(ours.join(''))
  const safe = 'Durand\ufffd[2J\ufffd31m\ufffd\ufffd\ufffddefil\ufffd\ufffd\ufffd'
  expect(written({ isTTY: true }, hostile, Buffer.from(hostile))).toBe(safe + safe)
  expect(written({ isTTY: true }, 'x\u001b[H\u001b[2J')).toBe('x\ufffd[H\ufffd[2J')
  expect(written({}, hostile)).toBe(hostile)
})
