import type { ReportContent, ReportRenderer, StoredFile } from '@sav/core/ports'
import { createDrawingProcess, TaskExceeded, type TimeBudget } from './drawing-process.js'
import type { DrawingTask, ReportParts } from './drawing-task.js'
import type { DrawnPicture } from './photos.js'

/** The time zone of reports, and the limits for drawing them. */
export interface ReportRendererOptions {
  /** The IANA name of the business time zone, in which dates are printed. */
  readonly timeZone: string
  /**
   * The processor time for all pictures of a report, in milliseconds; a single picture gets at most half of it.
   * Default: 20,000. Waiting for other reports or programs does not count, but by the clock the limit is six times as
   * long.
   */
  readonly renderTimeoutMs?: number
  /** The most memory that the drawing process may use, in MB. Default: 512. */
  readonly maxMemoryMb?: number
  /** How long the drawing process is kept without a report to draw, in milliseconds. Default: 30,000. */
  readonly idleMs?: number
}

/** Draws reports in a separate process, which `close` ends. */
export interface ClosableRenderer extends ReportRenderer {
  /** Ends the drawing process; a report in progress fails. */
  close(): Promise<void>
}

/** The bytes for all photos of a report, of 5 MiB in total. Logo and signature take at most 0.6 MiB each. */
const photoBytes = 3.5 * 1024 * 1024

/** The processor time for the layout, in milliseconds. It takes less than a second unless something hangs. */
const layoutMs = 20_000

/** The maximum size of a thumbnail. */
const thumbnailBytes = 40_000
const thumbnailMs = 10_000
/** The maximum number of thumbnails in memory, which take 10 MB. */
const maxSmall = 256

const tooMuch: DrawnPicture = {
  note: 'Image trop lourde pour être imprimée : conservée au dossier telle qu’elle a été reçue.',
}

/**
 * Draws the report as PDF/A-3a: fonts embedded, tagged, in French. With the same versions of sharp and pdfkit, the
 * same content gives the same bytes. The report is drawn in a separate process with limited time and memory. A picture
 * that exceeds a limit is replaced by a note.
 * @throws RangeError for a time zone that the platform does not know
 */
export function createReportRenderer({
  timeZone,
  renderTimeoutMs = 20_000,
  maxMemoryMb = 512,
  idleMs = 30_000,
}: ReportRendererOptions): ClosableRenderer {
  // Throws for an unknown zone. A formatter for a known zone would cost 14 ms and 8 MB.
  if (!Intl.supportedValuesOf('timeZone').includes(timeZone)) new Intl.DateTimeFormat('en-US', { timeZone })
  const drawing = createDrawingProcess({ maxMemoryMb, idleMs })
  /** Thumbnails by the SHA-256 of their photos, since several phones request the same ones. */
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
    // Logo and signature come first, since they are small and matter most.
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

/** The content without its files of up to 60 MB, whose pictures are already drawn. */
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
