import type { EventKind, KnownEvent } from '@sav/webhook-verify'
import type { Clock } from '../time/clock.js'
import type { Channel, SendResult } from './channel.js'

/** An event of one kind, as its webhook carries it. */
export type EventOf<Kind extends EventKind> = Extract<KnownEvent, { readonly event: Kind }>

/** What an `EventHandler` gets with the event. */
export interface HandlerContext {
  /** The account of the event. */
  readonly account_id: string
  /** Aborts when the attempt's time is up. Unfinished work then counts as failed, and the event is delivered again. */
  readonly signal: AbortSignal
}

/** Handles an event. It is delivered when this resolves, and retried on the schedule when it rejects. */
export type EventHandler<Kind extends EventKind = EventKind> = (
  event: EventOf<Kind>,
  context: HandlerContext,
) => Promise<void> | void

const prefix = 'host:'

/**
 * The target of a handler in the host's own process: `host:crm`. Only a process that has the handler claims its
 * deliveries.
 */
export const hostTarget = (name: string): string => `${prefix}${name}`

export const isHostTarget = (target: string): boolean => target.startsWith(prefix)

export interface HostChannelDeps {
  readonly clock: Clock
  /** The time limit of a whole attempt. */
  readonly timeoutMs: number
  /** Called with the handler's error, since the history does not keep its message, and with the id of the delivery. */
  readonly fault: (error: unknown, delivery_id: string) => void
}

/** Passes events of these kinds to a handler in this process. */
export function hostChannel<Kind extends EventKind>(
  kinds: readonly Kind[],
  handler: EventHandler<Kind>,
  { clock, timeoutMs, fault }: HostChannelDeps,
): Channel {
  const isChosen = (event: KnownEvent): event is EventOf<Kind> => kinds.some((kind) => kind === event.event)

  return {
    timeoutMs,
    async send({ id, account_id, body }) {
      const startedAt = clock.monotonic()
      const event: KnownEvent = JSON.parse(body)
      const outcome = (error: string | null, more: Partial<SendResult> = {}): SendResult => ({
        ok: error === null,
        status: null,
        error,
        unreachable: false,
        durationMs: Math.round(clock.monotonic() - startedAt),
        responseHeaders: null,
        response: null,
        ...more,
      })
      if (!isChosen(event)) return outcome(`the handler no longer takes ${event.event}`, { final: true })

      const time = new AbortController()
      const late = Promise.withResolvers<SendResult>()
      const cancel = clock.after(timeoutMs, () => {
        const reason = `the handler did not end within ${timeoutMs} ms`
        time.abort(new Error(reason))
        late.resolve(outcome(reason, { unreachable: true }))
      })
      const handled = (async () => handler(event, { account_id, signal: time.signal }))()
      const ended = handled.then(
        () => outcome(null),
        (error: unknown) => {
          fault(error, id)
          return outcome(`the handler threw ${kindOf(error)}`)
        },
      )
      return Promise.race([ended, late.promise]).finally(cancel)
    },
  }
}

/**
 * The class of an error and its code: `TypeError`, `DatabaseError 23505`. The message is left out: it may name a person,
 * and an erasure would not find it in the history.
 */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const words = [error.name, 'code' in error ? error.code : '']
  return words.filter((word) => typeof word === 'string' && /^\w{1,64}$/.test(word)).join(' ') || 'Error'
}
