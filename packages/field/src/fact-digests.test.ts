import { describe, expect, it } from 'vitest'
import { sha256 } from '../../core/test/case-samples.js'
import { createFactDigests } from './fact-digests.js'

const keyOf = (byte: number) => new Uint8Array(32).fill(byte)
const told = ['intervention', 5, { compte_rendu: 'Mme Durand était chez elle.' }]

describe('the digest of a report', () => {
  it('recognises a repeated report, and depends on the key', () => {
    const { of, mayBe } = createFactDigests(keyOf(1))
    const digest = of(told)
    expect([mayBe(digest, told), mayBe(digest, [...told, 'more'])]).toEqual([true, false])
    expect(digest).not.toContain(sha256(Buffer.from(JSON.stringify(told))))
    expect(createFactDigests(keyOf(2)).of(told).split('.')[1]).not.toBe(digest.split('.')[1])
  })

  it('is still checked with its old key after a rotation; once that key is removed, it matches any report', () => {
    const before = createFactDigests(keyOf(1))
    const digest = before.of(told)
    const rotated = createFactDigests(keyOf(2), (id) => (digest.startsWith(id) ? keyOf(1) : undefined))
    expect([rotated.mayBe(digest, told), rotated.mayBe(digest, ['other'])]).toEqual([true, false])
    expect(createFactDigests(keyOf(2)).mayBe(digest, ['other'])).toBe(true)
  })
})
