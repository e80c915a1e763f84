import { setImmediate } from 'node:timers/promises'
import type { ReportPhoto, ReportRenderer } from '@sav/core/ports'
import { type Fonts, loadFonts } from './fonts.js'
import { frenchDates, reportTitle } from './french.js'
import { type Drawn, drawInk, drawPhoto } from './photos.js'
import { chapter, evidence, head, notices, parties, photoRows, reservations, signatureBox } from './sections.js'
import { Sheet } from './sheet.js'

export interface ReportRendererOptions {
  /** IANA time zone of the business, in which dates are printed. */
  readonly timeZone: string
}

/** All photos together. Of what is left of 5 MiB, logo and signature need at most 0.6 MiB each, and the fonts little. */
const photoBytes = 3.5 * 1024 * 1024

/**
 * Draws the report as PDF/A-3a: fonts embedded, tagged, in French. The same content gives the same bytes, as long as the
 * versions of sharp and pdfkit stay the same. Pictures are scaled off the event loop, and between two parts of the
 * document others get their turn.
 * @throws RangeError for a time zone that the platform does not know
 */
export function createReportRenderer({ timeZone }: ReportRendererOptions): ReportRenderer {
  const dates = frenchDates(timeZone)
  let fonts: Fonts | undefined

  return {
    async render(content) {
      const { photos, photo_avant, photo_apres, signature, reference } = content
      const title = reportTitle(signature !== null)
      const printed = [...photos, photo_avant, photo_apres].filter((photo) => photo !== null)
      const share = Math.floor(photoBytes / Math.max(printed.length, 1))
      const drawnPhotos = new Map<ReportPhoto, Drawn>()
      for (const photo of printed) if (photo.file !== null) drawnPhotos.set(photo, await drawPhoto(photo.file, share))
      const logo = content.logo && (await drawInk(content.logo))
      const signed = signature && (await drawInk(signature))

      const plate = (plateTitle: string, photo: ReportPhoto, instant: string) => ({
        title: plateTitle,
        photo,
        drawn: drawnPhotos.get(photo) ?? null,
        received: dates.moment(instant),
      })
      const problem = photos.map((photo, index) => plate(`Photo ${index + 1}`, photo, content.date_creation))
      const work = [
        photo_avant && plate('Avant l’intervention', photo_avant, content.date_cloture),
        photo_apres && plate('Après l’intervention', photo_apres, content.date_cloture),
      ].filter((found) => found !== null)

      fonts ??= loadFonts()
      const sheet = new Sheet(fonts, { title: `${title} ${reference}`, date: new Date(content.date_cloture) })
      for (const part of [
        () => head(sheet, content, { logo, dates }),
        () => parties(sheet, content, dates),
        () => chapter(sheet, 'Problème signalé', content.description),
        () => problem.length > 0 && photoRows(sheet, 'Photos du problème', problem, { columns: 3, height: 116 }),
        () => chapter(sheet, 'Intervention et résolution', content.resolution),
        () => work.length > 0 && photoRows(sheet, 'Photos avant et après', work, { columns: 2, height: 160 }),
        () => reservations(sheet, content),
        () => signatureBox(sheet, content, { drawn: signed, dates }),
        () => evidence(sheet, content),
        () => notices(sheet, content),
      ]) {
        part()
        await setImmediate()
      }
      return sheet.end(`${reference} – ${title} – heures du fuseau ${timeZone}`)
    },
  }
}
