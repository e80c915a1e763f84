import type { Permission, Sav } from '@sav/core'
import { isAllowed, readingPermission } from '@sav/core/adapter'
import type { StoredEvent } from '@sav/core/ports'
import type { Holder } from '../../callers/holder.js'
import type { ApiRequest, Stream } from '../../http/exchange.js'
import { Refusal } from '../../http/failures.js'
import { eventStream } from '../declaration/answers.js'
import { readRoute } from '../declaration/declare.js'
import type { Caller } from '../declaration/route.js'

/** The live events of the account. */
export const eventRoutes = [
  readRoute({
    path: '/api/v1/evenements',
    name: 'listenToEvents',
    summary: 'Listen to events as they happen (server-sent events)',
    description:
      'Each message has the id and the kind of an event, and its data is the body of the webhook. `rdv.*` also need ' +
      '`planning:read`. Installers get only the events of their own visits and of the cases of these visits. After a ' +
      'reconnection an event may be sent again: compare `data.event_id`. With a `Last-Event-ID` that is at most 30 s ' +
      'old, the stream continues after that event. After `event: reset`, events may be missing: read again what you ' +
      'show. A comment is sent every 15 s. The stream ends within a second after its key or session has ended. A ' +
      'session has one stream: a newer one ends the previous one, with `event: replaced`. The stream is for screens. ' +
      'For events that must not be missed, use webhooks.',
    permission: 'sav:read',
    answers: eventStream('The events, while the connection lasts.'),
    handle: (call) =>
      listening(call, {
        permission: 'sav:read',
        seenBy: ({ permissions }, events) =>
          events.filter(({ event }) => isAllowed(permissions, readingPermission(call.sav.events, event))),
      }),
  }),
]

/** The callers that may listen, and what each one sees. */
export interface Listening {
  /** The required permission. The stream ends when the caller loses it. */
  readonly permission: Permission
  readonly seenBy: (holder: Holder, events: readonly StoredEvent[]) => readonly StoredEvent[]
}

/** A stream of events for a caller, from now on. @throws Refusal if there are too many */
export async function listening(
  {
    sav,
    holder,
    request,
    again,
  }: Pick<Caller, 'holder' | 'again'> & { sav: { live: Pick<Sav['live'], 'listen'> }; request: ApiRequest },
  what: Listening,
): Promise<Stream> {
  const caller = {
    account_id: holder.actor.account_id,
    id: holder.session?.id ?? holder.id,
    alone: holder.session !== null,
  }
  const begin = await sav.live.listen(caller, request.header('last-event-id'))
  if (begin === null) throw new Refusal('too_many_requests', { headers: ['Retry-After', '60'] })
  return liveStream(begin, { ...what, first: holder, again })
}

const heartbeatMs = 15_000
/** How often the caller is checked. With the 500 ms cache of keys and sessions, an end takes effect within a second. */
const checkMs = 400
/** How many bytes of events are sent at once, about 130 events: a client that missed more reads everything again. */
const maxTold = 64 * 1024
/** How many bytes a client may leave unread before it is disconnected; it can reconnect and continue. */
const maxWaiting = 2 * maxTold

type Begin = NonNullable<Awaited<ReturnType<Sav['live']['listen']>>>

interface StreamCaller extends Listening {
  readonly first: Holder
  /** Reads the holder again. */
  readonly again: Caller['again']
}

function liveStream(begin: Begin, { first, again, permission, seenBy }: StreamCaller): Stream {
  return (sink) => {
    // The host's own callers are checked less often, since the host's `authenticate` may be slow.
    const everyMs = first.key === null && first.session === null ? heartbeatMs : checkMs
    let now = first
    let writtenAt = Number.NEGATIVE_INFINITY
    let hasEnded = false
    let preface = 'retry: 2000\n'

    function write(text: string): void {
      writtenAt = performance.now()
      if (sink.write(preface + text) > maxWaiting) finish(() => sink.cut())
      preface = ''
    }

    function finish(end: () => void): void {
      if (hasEnded) return
      hasEnded = true
      clearTimeout(timer)
      leave()
      end()
    }

    async function check(): Promise<void> {
      const holder = await again().catch(() => null)
      if (hasEnded) return
      if (holder === null || !isAllowed(holder.permissions, permission)) return finish(() => sink.end())
      now = holder
      timer = setTimeout(check, everyMs)
    }

    let leave = () => {}
    let timer = setTimeout(check, everyMs)
    leave = begin({
      tell({ events, missed, position }) {
        const text = seenBy(now, events)
          .map(({ id, event, body }) => `id: ${id}\nevent: ${event}\ndata: ${body}\n\n`)
          .join('')
        if (missed || text.length > maxTold) write(`id: ${position}\nevent: reset\ndata: {}\n\n`)
        else if (text !== '') write(text)
        else if (performance.now() - writtenAt >= heartbeatMs) write(`: \nid: ${position}\n\n`)
      },
      ended(why) {
        if (why === 'replaced') write('event: replaced\ndata: {}\n\n')
        finish(() => sink.end())
      },
    })
    if (hasEnded) leave()
    return () => finish(() => {})
  }
}
