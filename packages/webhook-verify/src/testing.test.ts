import { expect, test } from 'vitest'
import { eventKinds, type WebhookEvent } from './events.js'
import type { SeenEvents } from './receive.js'
import { checkSeenEvents, exampleEvents, signedRequest } from './testing.js'
import { receiveWebhook } from './web.js'

test('checkSeenEvents accepts a Set', async () => {
  const seen = new Set<string>()
  await checkSeenEvents(() => seen)
})

test.each<[string, () => SeenEvents, RegExp]>([
  ['says that it has seen every event', () => ({ has: () => true, add: () => undefined }), /before that id was added/],
  ['keeps nothing', () => ({ has: () => false, add: () => undefined }), /after that id was added/],
  ['forgets when it is opened again', () => new Set<string>(), /has forgotten/],
  [
    'ignores upper and lower case',
    () => {
      const seen = new Set<string>()
      return { has: (id) => seen.has(id.toLowerCase()), add: (id) => seen.add(id.toLowerCase()) }
    },
    /differ only in case/,
  ],
])('checkSeenEvents rejects a store that %s', async (_flaw, open, message) => {
  await expect(checkSeenEvents(open)).rejects.toThrow(message)
})

test('a signed request of each kind reaches the handler unchanged', async () => {
  const secret = `whsec_${btoa('x'.repeat(32))}`
  const given: WebhookEvent[] = []
  expect(Object.keys(exampleEvents)).toEqual([...eventKinds, 'webhook.test'])
  for (const event of Object.values(exampleEvents)) {
    const request = new Request('https://erp.example/', await signedRequest(event, secret))
    expect((await receiveWebhook(request, secret, (one) => given.push(one))).status).toBe(200)
  }
  expect(given).toEqual(Object.values(exampleEvents))
})
