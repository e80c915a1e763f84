import { expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import { ValidationError } from '../errors.js'

const receiver = { url: 'https://receiver.example/hooks', events: ['sav.created' as const] }

const named = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${String(i).padStart(4, '0')}`, value]))

/** Headers of this many bytes in all. */
const ofBytes = (bytes: number) => ({ ...named(2, 'v'.repeat(4000)), 'X-Last': 'v'.repeat(bytes - 2 * 4006 - 6) })

it.each([
  ['20', named(20, 'v'), true],
  ['21', named(21, 'v'), false],
  ['10,000', named(10_000, 'v'), false],
  ['10,000 without a value', named(10_000, ''), false],
  ['8 KiB of', ofBytes(8192), true],
  ['a byte more than 8 KiB of', ofBytes(8193), false],
  ['80,000 bytes of', named(20, 'v'.repeat(3994)), false],
])('%s custom headers are accepted only up to 20 headers and 8 KiB', async (_, headers, isTaken) => {
  const { sav } = await openSav()
  const { endpoints } = sav.webhooks
  const kept = await endpoints.add(as('default'), receiver)
  const asked = [
    endpoints.add(as('default'), { ...receiver, headers }),
    endpoints.update(as('default'), kept.id, { headers }),
  ]
  for (const answer of await Promise.allSettled(asked)) {
    expect(answer.status).toBe(isTaken ? 'fulfilled' : 'rejected')
    if (answer.status === 'fulfilled') continue
    expect(answer.reason).toBeInstanceOf(ValidationError)
    expect(answer.reason.details).toMatchObject([
      { field: 'headers', message: expect.stringMatching(/^at most (20|8192) /) },
    ])
  }
})
