import type { ReportContent, ReportRenderer, StoredFile } from '@sav/core/ports'
import { createDrawingProcess, TaskExceeded, type TimeBudget } from './drawing-process.js'
import type { DrawingTask, ReportParts } from './drawing-task.js'
import type { DrawnPicture } from './photos.js'

/** The limits of one drawing. */
export interface ReportRendererOptions {
  /** IANA name of the business time zone, for printed dates. */
  readonly timeZone: string
  /**
   * The processor time for all pictures of a report, each at most half of it, in milliseconds. Default: 20,000. Waiting
   * for other reports, or for other work on the machine, does not count. By the clock it is at most six times as long.
   */
  readonly renderTimeoutMs?: number
  /** The memory of the drawing process, in MB. Default: 512. */
  readonly maxMemoryMb?: number
  /** How long that process is kept without a report to draw. Default: 30,000. */
  readonly idleMs?: number
}

/** Draws reports in a separate process, which `close` ends. */
export interface ClosableRenderer extends ReportRenderer {
  /** Ends the drawing process; a report in progress fails. */
  close(): Promise<void>
}

/** For all photos. Of the other 1.5 MiB, logo and signature need at most 0.6 MiB each. */
const photoBytes = 3.5 * 1024 * 1024

/** Texts take less than a second of processor time: beyond this, something hangs. */
const layoutMs = 20_000

/** The size of a photo in a list. */
const thumbnailBytes = 40_000
const thumbnailMs = 10_000
/** The most thumbnails in memory: 10 MB. */
const maxSmall = 256

const tooMuch: DrawnPicture = {
  note: 'Image trop lourde pour être imprimée : conservée au dossier telle qu’elle a été reçue.',
}

/**
 * Draws the report as PDF/A-3a: fonts embedded, tagged, in French. The same content gives the same bytes, for the same
 * versions of sharp and pdfkit. It is drawn in a separate process with limited time and memory: a picture that exceeds
 * them is listed instead.
 * @throws RangeError for a time zone that the platform does not know
 */
export function createReportRenderer({
  timeZone,
  renderTimeoutMs = 20_000,
  maxMemoryMb = 512,
  idleMs = 30_000,
}: ReportRendererOptions): ClosableRenderer {
  // Throws for an unknown zone. A formatter for known ones would take 14 ms and 8 MB.
  if (!Intl.supportedValuesOf('timeZone').includes(timeZone)) new Intl.DateTimeFormat('en-US', { timeZone })
  const drawing = createDrawingProcess({ maxMemoryMb, idleMs })
  /** Thumbnails by the SHA-256 of their photos: several phones request the same ones. */
  const small = new Map<string, StoredFile | null>()

  async function picture(task: DrawingTask & { kind: 'photo' | 'ink' }, time: TimeBudget): Promise<DrawnPicture> {
    try {
      return await drawing.run(task, time)
    } catch (error) {
      if (error instanceof TaskExceeded) return tooMuch
      throw error
    }
  }

  async function picturesOf(content: ReportContent): Promise<Omit<ReportParts, 'content'>> {
    const { photos, photo_avant, photo_apres, logo, signature } = content
    const time = { eachMs: renderTimeoutMs / 2, leftMs: renderTimeoutMs }
    const printed = [...photos, photo_avant, photo_apres].filter((photo) => photo !== null)
    const maxBytes = Math.floor(photoBytes / Math.max(printed.length, 1))
    const ink = async (file: StoredFile | null) => file && picture({ kind: 'ink', file }, time)
    // First, since they are small, and matter most.
    const drawn = { logo: await ink(logo), signature: await ink(signature) }
    const byPhoto = new Map<ReportContent['photos'][number], DrawnPicture>()
    for (const photo of printed) {
      const { file } = photo
      if (file === null || byPhoto.has(photo)) continue
      byPhoto.set(photo, await picture({ kind: 'photo', file, maxBytes }, time))
    }
    const of = (photo: ReportContent['photos'][number] | null) => (photo && byPhoto.get(photo)) ?? null
    return { ...drawn, photos: photos.map(of), photo_avant: of(photo_avant), photo_apres: of(photo_apres) }
  }

  return {
    async render(content) {
      const drawn = await picturesOf(content)
      const time = { eachMs: layoutMs, leftMs: layoutMs }
      return drawing.run({ kind: 'document', timeZone, content: withoutFiles(content), ...drawn }, time)
    },
    async thumbnail(file) {
      const known = small.get(file.sha256)
      if (known !== undefined) return known
      const time = { eachMs: thumbnailMs, leftMs: thumbnailMs }
      const drawn = await picture({ kind: 'photo', file, maxBytes: thumbnailBytes }, time)
      const made = 'note' in drawn ? null : { sha256: file.sha256, media_type: 'image/jpeg', content: drawn.bytes }
      if (small.size >= maxSmall) for (const oldest of [...small.keys()].slice(0, maxSmall / 2)) small.delete(oldest)
      small.set(file.sha256, made)
      return made
    },
    close: drawing.close,
  }
}

/** Without the files, up to 60 MB, whose pictures are already drawn. */
function withoutFiles(content: ReportContent): ReportContent {
  const { photos, photo_avant, photo_apres, signature } = content
  const named = (photo: ReportContent['photos'][number]): ReportContent['photos'][number] => ({ ...photo, file: null })
  return {
    ...content,
    photos: photos.map(named),
    photo_avant: photo_avant && named(photo_avant),
    photo_apres: photo_apres && named(photo_apres),
    logo: null,
    signature: signature && { ...signature, content: new Uint8Array() },
  }
}
