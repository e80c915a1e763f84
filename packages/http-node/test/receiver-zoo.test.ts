import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { SendResult } from '@sav/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSender } from '../src/sender/sender.js'
import { expired } from './receiver-zoo.js'
import { openZoo, receivers, type Zoo } from './zoo-keeper.js'

/** A short limit for receivers that never finish an answer; a long one for others, since a busy machine is late. */
const timeoutFor = (name: string) => (/^(hangs|drips)/.test(name) ? 1500 : 60_000)
const graceMs = 10_000

const sender = createSender({ userAgent: 'sav', allowLocal: true })
let zoo: Zoo

beforeAll(async () => {
  // The certificate is trusted here, so that its expiry is the only reason for a refusal.
  setDefaultCACertificates([...getCACertificates('default'), expired.cert])
  zoo = await openZoo()
})
afterAll(async () => {
  await sender.close()
  await zoo.close()
})

async function timed(name: string, timeoutMs: number): Promise<{ result: SendResult; tookMs: number }> {
  const startedAt = performance.now()
  const result = await sender.post({ account_id: 'default', url: zoo.url(name), headers: {}, body: '{}', timeoutMs })
  return { result, tookMs: performance.now() - startedAt }
}

describe('a receiver that', () => {
  it.concurrent.each(Object.entries(receivers))('%s gets an attempt that ends in time', async (name, expected) => {
    const timeoutMs = timeoutFor(name)
    const { result, tookMs } = await timed(name, timeoutMs)
    expect(tookMs).toBeLessThan(timeoutMs + graceMs)
    const { error: _, ...outcome } = expected
    expect(result).toMatchObject(outcome)
    if (name.includes('expired')) expect(result.errorCode).toBe('tls_expired')
    if (expected.error === null) expect(result.error).toBeNull()
    else expect(result.error).toMatch(expected.error)
    expect(result.response?.length ?? 0).toBeLessThanOrEqual(16 * 1024)
    expect(result.error ?? '').not.toMatch(/127\.0\.0\.1|ECONN|ERR_/)
  })
})
