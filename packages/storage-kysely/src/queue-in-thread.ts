import { extname } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { type AttemptOutcome, type ClaimedDelivery, type DeliveryQueue, UnavailableError } from '@sav/core/ports'
import { heldOf } from './queue/outcomes.js'
import { ProcessWakes } from './queue/wakes.js'
import type { OnCommit } from './storage/opened-storage.js'

/** The store whose queue a thread serves. */
export interface QueueOf {
  readonly path: string
  readonly busyTimeoutMs: number
  readonly prefix: string
}

/** A call to the thread as JSON, which costs half as much as a structured clone. */
export interface QueueCall {
  readonly id: number
  readonly method: Exclude<keyof DeliveryQueue, 'watch'> | 'close'
  readonly args: never[]
}

interface QueueError {
  readonly message: string
  readonly stack: string | undefined
  /** Null for errors other than UnavailableError. */
  readonly retryAfterSeconds: number | null
  readonly damaged: boolean
}

type QueueAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: QueueError }

/** An answer of the thread, or news from it. */
export type QueueMessage = QueueAnswer | { readonly committed: number } | { readonly woken: true }

/** A queue with its own thread. */
export interface QueueInThread extends DeliveryQueue {
  /** Ends the thread once its current work is done. Later calls fail. */
  close(): Promise<void>
}

/** This process's parts of the same store. */
export interface Beside {
  readonly watch: DeliveryQueue['watch']
  /** Called after each commit of the thread. */
  readonly committed: OnCommit
  /** Called when the thread finds damage. */
  readonly damaged: (sentence: string) => void
  /** The queue to use until there is load, which starts the thread. */
  readonly untilLoad?: DeliveryQueue | undefined
}

/** A claim of this size starts the thread. The thread takes 18 MB, and smaller claims are sent as fast without it. */
const loadFrom = 16

/**
 * The thread's script: `.js` in the published package; `.ts` if Node runs the sources. Then the thread inherits the
 * `--import` of this process.
 */
const entry = () => new URL(`./queue-thread${extname(import.meta.url)}`, import.meta.url)

/**
 * The queue of a store in a file, in a thread with its own connections. While it claims, records and waits for the
 * disk, this process sends: a quarter more deliveries a second on two processors. The thread starts at once or with the
 * first load, and again with the first call after it has failed. If it fails, the calls in progress are rejected and
 * their outcome is unknown, as after the loss of a connection to a server.
 */
export function queueInThread(of: QueueOf, { watch, committed, damaged, untilLoad }: Beside): QueueInThread {
  const calls = new Map<
    number,
    { readonly resolve: (result: never) => void; readonly reject: (error: Error) => void }
  >()
  const wakes = new ProcessWakes()
  /** The queue that serves instead of the thread. */
  let own = untilLoad ?? null
  let isAwaited = false
  let thread: Worker | null = own === null ? start() : null
  let lastId = 0
  let closing: Promise<void> | null = null

  function start(): Worker {
    // Loaded here: few stores have a thread.
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    // No environment, because it holds secrets.
    const started = new Worker(entry(), { env: {}, name: 'queue', workerData: of })
    let cause: unknown
    started.on('error', (error) => {
      cause = error
    })
    started.once('exit', () => {
      thread = null
      const lost = new UnavailableError('The thread of the queue has ended.', { cause, retryAfterSeconds: 1 })
      for (const { reject } of calls.values()) reject(lost)
      calls.clear()
    })
    started.on('message', (text: string) => hear(JSON.parse(text)))
    return started
  }

  function hear(message: QueueMessage): void {
    if ('committed' in message) committed(message.committed)
    else if ('woken' in message) wakes.announce()
    else settle(message)
  }

  function settle(answer: QueueAnswer): void {
    const call = calls.get(answer.id)
    calls.delete(answer.id)
    if ('error' in answer) {
      if (answer.error.damaged) damaged(answer.error.message)
      call?.reject(errorOf(answer.error))
    } else call?.resolve(answer.result as never)
  }

  function ask<T>(method: Exclude<QueueCall['method'], 'close'>, ...args: unknown[]): Promise<T> {
    if (closing !== null) return Promise.reject(new Error('The queue is closed.'))
    if (own === null) return askThread(method, ...args)
    const call: (...args: never[]) => Promise<unknown> = own[method].bind(own)
    return call(...(args as never[])) as Promise<T>
  }

  /** The current queue serves until the thread answers; if the thread fails, the next load starts it again. */
  function noteLoad(now: string): void {
    if (own === null || isAwaited || closing !== null) return
    isAwaited = true
    askThread('lateness', { now, behindSince: now }).then(
      () => {
        own = null
      },
      () => {
        isAwaited = false
      },
    )
  }

  function askThread<T>(method: QueueCall['method'], ...args: unknown[]): Promise<T> {
    thread ??= start()
    lastId += 1
    const [asked, id] = [thread, lastId]
    return new Promise((resolve, reject) => {
      calls.set(id, { resolve, reject })
      asked.postMessage(JSON.stringify({ id, method, args }))
    })
  }

  async function end(asked: Promise<void> | null): Promise<void> {
    try {
      await asked
    } finally {
      await thread?.terminate()
    }
  }

  return {
    due: (now) => ask('due', now),
    lateness: (at) => ask('lateness', at),
    async claim(requests, lease) {
      const claimed: ClaimedDelivery[] = await ask('claim', requests, lease)
      if (claimed.length >= loadFrom) noteLoad(lease.now)
      return claimed
    },
    record: async (outcomes) => new Set(await ask<string[]>('record', outcomes.map(withoutBody))),
    intend: (delivery, at) => ask('intend', heldOf(delivery), at),
    release: (deliveries) => ask('release', deliveries.map(heldOf)),
    counts: () => ask('counts'),
    expire: (bounds) => ask('expire', bounds),
    purge: (bounds) => ask('purge', bounds),
    purgeable: (bounds) => ask('purgeable', bounds),
    watch(wake) {
      const unwatch = [wakes.watch(wake), watch(wake)]
      return () => {
        for (const end of unwatch) end()
      }
    },
    close() {
      closing ??= end(thread === null ? null : askThread('close'))
      return closing
    },
  }
}

/** The thread does not need the body. */
function withoutBody({ delivery, ...outcome }: AttemptOutcome): AttemptOutcome {
  const { event_id, channel, target } = delivery
  return { ...outcome, delivery: { ...heldOf(delivery), event_id, channel, target } }
}

function errorOf({ message, stack, retryAfterSeconds, damaged }: QueueError): Error {
  const error =
    retryAfterSeconds === null ? new Error(message) : new UnavailableError(message, { retryAfterSeconds, damaged })
  if (stack !== undefined) error.stack = stack
  return error
}
