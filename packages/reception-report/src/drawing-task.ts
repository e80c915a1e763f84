import type { ReportContent, StoredFile } from '@sav/core/ports'
import type { DrawnPicture } from './photos.js'

/** Signals that a terminal and systemd send to all processes of a service. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A task for the drawing process. */
export type DrawingTask =
  | { readonly kind: 'photo'; readonly file: StoredFile; readonly maxBytes: number }
  | { readonly kind: 'ink'; readonly file: StoredFile }
  | ({ readonly kind: 'document'; readonly timeZone: string } & ReportParts)

/** A report with drawn pictures: the files are removed from `content`. */
export interface ReportParts {
  readonly content: ReportContent
  /** For each photo of `content`, in order; null if there was no file. */
  readonly photos: readonly (DrawnPicture | null)[]
  readonly photo_avant: DrawnPicture | null
  readonly photo_apres: DrawnPicture | null
  readonly logo: DrawnPicture | null
  readonly signature: DrawnPicture | null
}

/** The result of a task. */
export interface DrawingResults {
  readonly photo: DrawnPicture
  readonly ink: DrawnPicture
  readonly document: Uint8Array
}

/** A message to the drawing process. */
export interface DrawingOrder {
  readonly task: DrawingTask
  /** The processor time that the task may take, in milliseconds. */
  readonly allowedMs: number
}

/** The processor time that a task has taken so far, in milliseconds. */
interface TimeUse {
  readonly spentMs: number
}

/** A message from the drawing process: it is ready, or its task has a result, failed, or exceeds a limit. */
export type DrawingMessage =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'result'; readonly result: DrawingResults[keyof DrawingResults] } & TimeUse)
  | ({ readonly kind: 'failure'; readonly error: string } & TimeUse)
  | ({ readonly kind: 'timeout' } & TimeUse)
  | { readonly kind: 'exceeded' }
