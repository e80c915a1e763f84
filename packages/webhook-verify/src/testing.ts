import type { WebhookEvent } from './events.js'
import type { SeenEvents } from './receive.js'
import { type SignatureHeaders, sign } from './sign.js'

export { exampleEvents } from './examples.js'

/** A delivery as the service sends it: the second argument of `fetch`. */
export interface SignedRequest {
  readonly method: 'POST'
  readonly headers: SignatureHeaders & {
    readonly 'Content-Type': 'application/json'
    readonly 'X-Webhook-Event': string
  }
  readonly body: string
}

/**
 * A delivery of an event, for tests of a receiver: `fetch(url, await signedRequest(exampleEvents['sav.closed'],
 * secret))`.
 * @param now when it is sent, in milliseconds since the Unix epoch. Default: the current time.
 */
export async function signedRequest(
  event: Pick<WebhookEvent, 'event' | 'timestamp'> & { readonly data: { readonly event_id: string } },
  secret: string,
  now: number = Date.now(),
): Promise<SignedRequest> {
  const body = JSON.stringify(event)
  const signed = await sign({ id: event.data.event_id, timestamp: Math.floor(now / 1000), body, secret })
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Webhook-Event': event.event, ...signed },
    body,
  }
}

/**
 * Tests your own store of seen events, with any test runner. The ids that it adds remain in the store.
 *
 * @param open returns the same store each time, as another process would open it.
 * @throws {Error} that says what the store does wrong.
 */
export async function checkSeenEvents(open: () => SeenEvents | Promise<SeenEvents>): Promise<void> {
  const store = await open()
  // The longest possible ids, with characters that are special in SQL and file names.
  const ids = [`evt_${crypto.randomUUID()}`, `evt_${crypto.randomUUID()}'"%_\\;--é`, `evt_${'x'.repeat(251)}`]
  for (const id of ids) {
    if (await store.has(id)) throw new Error(`has('${id}') is true before that id was added`)
    await store.add(id)
    if (!(await store.has(id))) throw new Error(`has('${id}') is false after that id was added`)
    if (await store.has(id.toUpperCase())) throw new Error('ids that differ only in case count as the same')
    await store.add(id)
  }
  const again = await open()
  await Promise.all([again.add(`${ids[0]}-2`), store.add(`${ids[0]}-2`)])
  for (const id of [...ids, `${ids[0]}-2`]) {
    if (!(await again.has(id))) throw new Error(`after it was opened again, the store has forgotten '${id}'`)
  }
}
