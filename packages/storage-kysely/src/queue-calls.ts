import type { DeliveryQueue } from '@sav/core/ports'

/** Which store's queue a thread serves. */
export interface QueueOf {
  readonly path: string
  readonly busyTimeoutMs: number
  readonly prefix: string
}

/** What the thread is asked, as JSON: that costs half of what a structured clone does. */
export interface QueueCall {
  readonly id: number
  readonly method: Exclude<keyof DeliveryQueue, 'watch'> | 'close'
  readonly args: never[]
}

export interface QueueError {
  readonly message: string
  readonly stack: string | undefined
  /** Of an UnavailableError. */
  readonly retryAfterSeconds: number | null
}

export type QueueAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: QueueError }

/** What it answers, and tells by itself. */
export type QueueMessage = QueueAnswer | { readonly committed: number } | { readonly woken: true }
