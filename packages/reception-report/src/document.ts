import { setImmediate } from 'node:timers/promises'
import type { ReportContent } from '@sav/core/ports'
import { closingPart } from './closing-part.js'
import type { ReportParts } from './drawing-task.js'
import { type Fonts, loadFonts } from './fonts.js'
import { frenchDates, reportTitle } from './french.js'
import type { DrawnPicture } from './photos.js'
import { chapter, head, parties, photoRows } from './sections.js'
import { Sheet } from './sheet.js'

let fonts: Fonts | undefined

/** Lays the report out, as PDF/A-3a. */
export async function layOut(parts: ReportParts, timeZone: string): Promise<Buffer> {
  const { content, logo, signature } = parts
  const { reference } = content
  const dates = frenchDates(timeZone)
  const title = reportTitle(content.signature !== null)
  const plate = (
    plateTitle: string,
    photo: ReportContent['photos'][number] | null,
    drawn: DrawnPicture | null,
    instant: string,
  ) => (photo === null ? [] : [{ title: plateTitle, photo, drawn, received: dates.moment(instant) }])
  const problem = content.photos.flatMap((photo, index) =>
    plate(`Photo ${index + 1}`, photo, parts.photos[index] ?? null, photo.date ?? content.date_creation),
  )
  const work = [
    ...plate('Avant l’intervention', content.photo_avant, parts.photo_avant, content.date_cloture),
    ...plate('Après l’intervention', content.photo_apres, parts.photo_apres, content.date_cloture),
  ]

  fonts ??= loadFonts()
  const sheet = new Sheet(fonts, { title: `${title} ${reference}`, date: new Date(content.date_cloture) })
  for (const part of [
    () => head(sheet, content, { logo, dates }),
    () => parties(sheet, content, dates),
    () => chapter(sheet, 'Problème signalé', content.description),
    () => problem.length > 0 && photoRows(sheet, 'Photos du problème', problem, { columns: 3, height: 140 }),
    () => chapter(sheet, 'Intervention et résolution', content.resolution),
    () => work.length > 0 && photoRows(sheet, 'Photos avant et après', work, { columns: 2, height: 150 }),
    () => closingPart(sheet, content, { signature, dates }),
  ]) {
    part()
    // Lets other events run: the check of the memory, and the end of the service.
    await setImmediate()
  }
  return sheet.end(`${reference} – ${title} – heures du fuseau ${timeZone}`)
}
