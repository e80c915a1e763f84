import type { Sav } from '@sav/core'
import { isAllowed, type OwnEvents } from '@sav/core/internal'
import type { StoredEvent } from '@sav/core/ports'
import type { Holder } from '../../callers/holder.js'
import type { Stream } from '../../http/exchange.js'
import { Refusal } from '../../http/failures.js'
import { eventStream } from '../declaration/answers.js'
import { readRoute } from '../declaration/declare.js'
import type { Caller } from '../declaration/route.js'

/** What happens in the account, while somebody looks on. */
export const eventRoutes = [
  readRoute({
    path: '/api/v1/evenements',
    name: 'listenToEvents',
    summary: 'Be told of events as they happen (server-sent events)',
    description:
      'Each message has the id of the event, its kind, and as its data the very text that webhooks are sent; `rdv.*` come to ' +
      'those who hold `planning:read` too, and to an installer only what concerns his own visits and their cases. Nothing is told twice on one connection, but after it is taken up again some may be: ' +
      '`data.event_id` tells them. With `Last-Event-ID`, at most 30 s old, it goes on from there; `event: reset` says that ' +
      'something may have been missed, and what is shown should be read again. A comment comes every 15 s. It ends within a ' +
      'second when its key or session does. A session has one stream: `event: replaced` is the last message of the one before. ' +
      'These are hints for screens; what must not be missed goes by webhooks.',
    permission: 'sav:read',
    alsoTerrain: true,
    answers: eventStream('The events, for as long as the connection lasts.'),
    async handle({ sav, actor: { account_id }, holder, request, again }) {
      const alone = holder.session !== null
      const caller = { account_id, id: holder.session?.id ?? holder.id, alone }
      const begin = await sav.live.listen(caller, request.header('last-event-id'))
      if (begin === null) throw new Refusal('too_many_requests', { headers: ['Retry-After', '60'] })
      const { poseur_id = null } = holder.actor
      const own = poseur_id === null ? () => [] : await sav.field.events(account_id, poseur_id)
      return liveStream(begin, { first: holder, again, own })
    },
  }),
]

const heartbeatMs = 15_000
/** A key or a session is cached for 500 ms, so that its end holds within a second. */
const checkMs = 400
/** How many bytes of events are sent at once, about 130 events: a client that missed more reads everything again. */
const maxTold = 64 * 1024
/** How many bytes a client may leave unread before it is cut off; it takes up the stream again when it can. */
const maxWaiting = 2 * maxTold

type Begin = NonNullable<Awaited<ReturnType<Sav['live']['listen']>>>

interface StreamCaller {
  readonly first: Holder
  /** Reads the holder again. */
  readonly again: Caller['again']
  /** What an installer may be told of. */
  readonly own: OwnEvents
}

const mayListen = ({ permissions }: Holder) => isAllowed(permissions, 'sav:read') || isAllowed(permissions, 'terrain')

function liveStream(begin: Begin, { first, again, own }: StreamCaller): Stream {
  return (sink) => {
    // Only the host knows when one of its own callers may no longer listen, and it does not promise how soon it says so.
    const everyMs = first.key === null && first.session === null ? heartbeatMs : checkMs
    let now = first
    const seen = (events: readonly StoredEvent[]): readonly StoredEvent[] => {
      if (!isAllowed(now.permissions, 'sav:read')) return own(events)
      return isAllowed(now.permissions, 'planning:read')
        ? events
        : events.filter(({ event }) => !event.startsWith('rdv.'))
    }
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
      if (holder === null || !mayListen(holder)) return finish(() => sink.end())
      now = holder
      timer = setTimeout(check, everyMs)
    }

    let leave = () => {}
    let timer = setTimeout(check, everyMs)
    leave = begin({
      tell({ events, missed, position }) {
        const text = seen(events)
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
