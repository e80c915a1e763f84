import { expect, test } from 'vitest'
import type { SeenEvents } from './receive.js'
import { checkSeenEvents } from './testing.js'

test('a Set is a store of seen events', async () => {
  const seen = new Set<string>()
  await checkSeenEvents(() => seen)
})

test.each<[string, () => SeenEvents, RegExp]>([
  ['has seen everything', () => ({ has: () => true, add: () => undefined }), /before it was added/],
  ['keeps nothing', () => ({ has: () => false, add: () => undefined }), /after it was added/],
  ['forgets when it is opened again', () => new Set<string>(), /has forgotten/],
  [
    'does not tell capitals',
    () => {
      const seen = new Set<string>()
      return { has: (id) => seen.has(id.toLowerCase()), add: (id) => seen.add(id.toLowerCase()) }
    },
    /differ in their case/,
  ],
])('one that %s is found out', async (_flaw, open, message) => {
  await expect(checkSeenEvents(open)).rejects.toThrow(message)
})
