import { expect, it } from 'vitest'
import { answeredCode, failures, hintOfFailure } from './failures.js'

it('each failure without an answer has unique words, and a hint', () => {
  const all = Object.entries(failures)
  expect(new Set(all.map(([, { words }]) => words)).size).toBe(all.length)
  for (const [code, { words }] of all) {
    expect(words.length).toBeGreaterThan(8)
    expect(hintOfFailure(code)?.length).toBeGreaterThan(20)
  }
})

it.each([
  [299, null],
  [300, 'redirect'],
  [399, 'redirect'],
  [400, null],
  [401, 'rejects the signature'],
  [403, 'rejects the signature'],
  [404, 'no such page'],
  [410, 'gone for good'],
  [413, 'of this size'],
  [429, 'limits its rate'],
  [499, null],
  [500, 'its own log'],
  [599, 'its own log'],
])('an answer of %i has the hint: %s', (status, words) => {
  const hint = hintOfFailure(answeredCode(status))
  if (words === null) expect(hint).toBeNull()
  else expect(hint).toContain(words)
})

it('an unknown code has no hint', () => {
  for (const code of ['quantum_decoherence', 'status_', 'status_5xx', 'toString'])
    expect(hintOfFailure(code)).toBeNull()
})
