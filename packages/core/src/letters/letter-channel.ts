import type { Channel, SendResult } from '../delivery/channel.js'
import type { ClaimedDelivery } from '../delivery/delivery-queue.js'
import type { LetterFailure } from '../receivers/failures.js'
import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { Carrier } from './carrier.js'
import type { Letter, LetterChannel } from './letter.js'

/** Writes letters of one kind when they are sent, so that only the directory holds personal data. */
export interface LetterWriter {
  /** The event of its deliveries. */
  readonly event: string
  /** @throws NoLetter when there is no letter to send, with the reason for readers of the history */
  write(delivery: ClaimedDelivery, channel: LetterChannel): Promise<Letter>
}

/** Why a letter is not sent. */
export class NoLetter extends Error {
  readonly code: LetterFailure

  constructor(code: LetterFailure, message: string) {
    super(message)
    this.code = code
  }
}

export interface LetterChannelDeps {
  readonly name: LetterChannel
  readonly carrier: Carrier
  readonly writers: readonly LetterWriter[]
  readonly queue: Pick<Storage['queue'], 'intend'>
  readonly clock: Clock
}

/** A channel whose letters are written by the writer of their kind, and then passed to the carrier. */
export function letterChannel({ name, carrier, writers, queue, clock }: LetterChannelDeps): Channel {
  const writerOf = new Map(writers.map((writer) => [writer.event, writer]))

  function letterOf(delivery: ClaimedDelivery): Promise<Letter> {
    const writer = writerOf.get(delivery.event)
    // The kind may be from a newer release, and another process may know it.
    if (writer === undefined) throw new Error(`this process has no writer for letters of the kind ${delivery.event}`)
    return writer.write(delivery, name)
  }

  return {
    timeoutMs: carrier.timeoutMs,
    async send(delivery) {
      const startedAt = clock.monotonic()
      if (delivery.intended_at !== null) return refusal('letter_interrupted', interrupted(delivery.intended_at))
      let isIntended = false
      try {
        const letter = await letterOf(delivery)
        const result = await carrier.carry(letter, async () => {
          if (!(await queue.intend(delivery, toInstant(clock.now()))))
            throw new Error('another process has taken this delivery over')
          isIntended = true
        })
        // Other answers are not stored: they may name the person or repeat a secret link, and no erasure finds them.
        return letter.kind === 'report' || letter.kind === 'notice' ? result : { ...result, response: null }
      } catch (error) {
        if (error instanceof NoLetter)
          return { ...refusal(error.code, error.message), durationMs: Math.round(clock.monotonic() - startedAt) }
        // Nothing was sent, so the recorded intention is withdrawn.
        if (isIntended) await queue.intend(delivery, null)
        throw error
      }
    },
  }
}

const interrupted = (since: string) =>
  `unknown whether it arrived: the process that was sending it ended after ${since}. Ask the customer before you retry.`

function refusal(errorCode: LetterFailure, error: string): SendResult {
  return {
    ok: false,
    status: null,
    error,
    errorCode,
    unreachable: false,
    durationMs: 0,
    responseHeaders: null,
    response: null,
    final: true,
  }
}
