import type { ReportContent, StoredFile } from '@sav/core/ports'
import type { Drawn } from './photos.js'

/** A terminal and systemd send these to all processes of a service. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What the drawing process is asked for, one after the other. */
export type DrawingTask =
  | { readonly kind: 'photo'; readonly file: StoredFile; readonly maxBytes: number }
  | { readonly kind: 'ink'; readonly file: StoredFile }
  | ({ readonly kind: 'document'; readonly timeZone: string } & ReportParts)

/** A report whose pictures are drawn: its files are left out of `content`. */
export interface ReportParts {
  readonly content: ReportContent
  /** For each photo of `content`, in its order; null where there was no file. */
  readonly photos: readonly (Drawn | null)[]
  readonly photo_avant: Drawn | null
  readonly photo_apres: Drawn | null
  readonly logo: Drawn | null
  readonly signature: Drawn | null
}

/** What it makes of a task. */
export interface DrawingResults {
  readonly photo: Drawn
  readonly ink: Drawn
  readonly document: Uint8Array
}

/** What the drawing process is told. */
export interface DrawingOrder {
  readonly task: DrawingTask
  /** How much time of a processor it may take. */
  readonly allowedMs: number
}

/** How much time of a processor a task has taken. */
interface Spent {
  readonly spentMs: number
}

/**
 * What the drawing process says: that it can begin, a result, why there is none, or that it needs more time or memory than it
 * may.
 */
export type DrawingMessage =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'result'; readonly result: DrawingResults[keyof DrawingResults] } & Spent)
  | ({ readonly kind: 'failure'; readonly error: string } & Spent)
  | ({ readonly kind: 'timeout' } & Spent)
  | { readonly kind: 'exceeded' }
