import { companyName } from '@sav/core/adapter'
import type { ReportContent } from '@sav/core/ports'
import {
  earlierReport,
  type FrenchDates,
  fullName,
  nbsp,
  ofCompany,
  problemNames,
  reportTitle,
  spacedSiret,
  spacedTelephone,
  typeset,
} from './french.js'
import type { DrawnPicture } from './photos.js'
import { ink, type Sheet, styles, within } from './sheet.js'

/** The head of the report: the company on the left, the title on the right. */
export function head(
  sheet: Sheet,
  content: ReportContent,
  { logo, dates }: { logo: DrawnPicture | null; dates: FrenchDates },
): void {
  const { societe, reference, signature, remplace } = content
  const top = sheet.y
  const column = sheet.width * 0.52
  const pictured = logo !== null && 'bytes' in logo ? { logo, ...within(logo, { width: 90, height: 52 }) } : null
  const inset = pictured === null ? 0 : pictured.width + 12
  const beside = { x: sheet.left + inset, width: column - inset }
  sheet.group('Sect', () => {
    if (pictured !== null)
      sheet.picture(pictured.logo, ofCompany('Logo', societe), { ...pictured, x: sheet.left, y: top + 2 })
    sheet.say('P', companyName(societe), styles.company, beside)
    for (const line of [
      societe.adresse?.replaceAll(/ {0,9}\r?\n\s*/g, ', '),
      societe.telephone && `Tél.${nbsp}${spacedTelephone(societe.telephone)}`,
      societe.email,
      societe.siret && `SIRET${nbsp}${spacedSiret(societe.siret)}`,
    ])
      if (line) sheet.say('P', line, { ...styles.small, gap: 0 }, beside)
  })
  const underCompany = Math.max(sheet.y, top + (pictured?.height ?? 0) + 4)

  const right = { x: sheet.left + column + 10, width: sheet.width - column - 10, align: 'right' } as const
  sheet.group('Sect', () => {
    sheet.say('H1', reportTitle(signature !== null), styles.title, { ...right, y: top - 4 })
    sheet.say('P', reference, { ...styles.strong, size: 13 }, right)
    sheet.say('P', `Établi le ${dates.moment(closedAt(content))}`, styles.small, right)
    if (remplace !== null)
      sheet.say('P', `Remplace ${earlierReport(remplace, dates)}`, { ...styles.strong, color: ink.warning }, right)
  })
  sheet.y = Math.max(underCompany, sheet.y) + 8
  sheet.rule({ x: sheet.left, y: sheet.y, width: sheet.width, color: ink.accent, weight: 1.5 })
  sheet.y += 12
}

/** When the case was closed: the phone's time if it is plausible, otherwise when the service received the close. */
export const closedAt = ({ sur_place, date_cloture }: ReportContent): string =>
  sur_place?.cru ? sur_place.survenu_a : date_cloture

/** The other time of a close on site: when the service received it, or the phone's time if that is not plausible. */
function bothTimes({ sur_place, date_cloture }: ReportContent, dates: FrenchDates): [string, string][] {
  if (!sur_place) return []
  if (!sur_place.cru) return [['Téléphone', `${dates.moment(sur_place.survenu_a)}, heure non retenue`]]
  const arrival = dates.moment(date_cloture)
  return arrival === dates.moment(sur_place.survenu_a) ? [] : [['Reçu le', arrival]]
}

type Fact = readonly [label: string, value: string]

/** Two panels: one for customer and place, one for the case. Empty fields are left out. */
export function parties(sheet: Sheet, content: ReportContent, dates: FrenchDates): void {
  const { client, reference, type_probleme, poseur } = content
  const known = (facts: readonly (readonly [string, string | null | undefined])[]): Fact[] =>
    facts.flatMap(([label, value]) => (value ? [[label, value] as const] : []))
  const customer = known([
    ['Client', fullName(client)],
    ['Entreprise', client.raison_sociale === fullName(client) ? null : client.raison_sociale],
    ['Téléphone', client.telephone && spacedTelephone(client.telephone)],
    ['Lieu', client.adresse && keptTogether(client.adresse)],
  ])
  const file = known([
    ['Dossier', `${reference} – ${problemNames[type_probleme]}`],
    ['Ouvert le', dates.moment(content.date_creation)],
    ['Clôturé le', dates.moment(closedAt(content))],
    ...bothTimes(content, dates),
    ['Intervenant', poseur],
  ])
  const gutter = 14
  const padding = 10
  const width = (sheet.width - gutter) / 2
  const labels = 58
  const values = width - 2 * padding - labels
  const heightOf = (facts: readonly Fact[]) =>
    facts.reduce((sum, [, value]) => sum + sheet.heightOf(value, fact, values), 0)
  const height = Math.max(heightOf(customer), heightOf(file)) + 2 * padding - fact.gap
  const top = sheet.y
  ;[customer, file].forEach((facts, index) => {
    const x = sheet.left + index * (width + gutter)
    sheet.panel({ x, y: top, width, height }, { fill: ink.panel })
    sheet.y = top + padding
    sheet.group('Sect', () => {
      for (const [label, value] of facts) {
        const { y } = sheet
        sheet.say('P', label, styles.label, { x: x + padding, y: y + 1.5, width: labels })
        sheet.say('P', value, fact, { x: x + padding + labels, y, width: values })
      }
    })
  })
  sheet.y = top + height + 14
}

/** Keeps a postal code and its town together. */
const keptTogether = (adresse: string) => adresse.replace(/(?<=\b\d{5}) (?=\p{L})/gu, nbsp)

const fact = { ...styles.strong, gap: 3 }

/** A heading with the text below it. */
export function chapter(sheet: Sheet, title: string, text: string): void {
  sheet.group('Sect', () => {
    heading(sheet, title)
    for (const paragraph of typeset(text).split(/\n\s*\n/)) sheet.say('P', paragraph.trim(), styles.body)
  })
  sheet.y += 6
}

/** @param room the height needed on the same page below the heading, in points */
function heading(sheet: Sheet, title: string, room = 36): void {
  sheet.keep(sheet.heightOf(title, styles.heading) + room)
  sheet.say('H2', title, styles.heading)
}

/** One photo of a row, with its caption. */
export interface Plate {
  readonly title: string
  readonly photo: ReportContent['photos'][number]
  readonly drawn: DrawnPicture | null
  /** The date on which the photo was received. */
  readonly received: string
}

/** The least height of a row, in points. With less space, the row moves to the next page. */
const leastHeight = 72

/**
 * Prints photos in rows of `columns`. Each photo keeps its proportions and is at most `height` high. Its caption has
 * the date and the beginning of the SHA-256.
 */
export function photoRows(
  sheet: Sheet,
  title: string,
  plates: readonly Plate[],
  { columns, height }: { columns: number; height: number },
): void {
  const gutter = 12
  const width = (sheet.width - gutter * (columns - 1)) / columns
  const caption = 38
  const sized = plates.map((plate) => {
    const isPicture = plate.drawn !== null && 'bytes' in plate.drawn
    return { plate, size: isPicture ? within(plate.drawn, { width, height }) : { width, height: 60 } }
  })
  const rows = Array.from({ length: Math.ceil(sized.length / columns) }, (_, row) => {
    const members = sized.slice(row * columns, (row + 1) * columns)
    return { members, height: Math.max(...members.map(({ size }) => size.height)) }
  })
  sheet.group('Sect', () => {
    heading(sheet, title, Math.min(rows[0]?.height ?? 0, leastHeight) + caption)
    for (const [index, row] of rows.entries()) {
      if (index > 0) sheet.y += 8
      sheet.keep(Math.min(row.height, leastHeight) + caption)
      const top = sheet.y
      const height = Math.min(row.height, sheet.bottom - caption - top)
      row.members.forEach(({ plate, size }, column) => {
        // Photos of a row are aligned at the bottom.
        const drawn = size.height > height ? within(size, { width, height }) : size
        const box = { x: sheet.left + column * (width + gutter), y: top + height - drawn.height, ...drawn }
        plateAt(sheet, plate, { box, width })
      })
      sheet.y = top + height + caption
    }
  })
  sheet.y += 8
}

/** @param width the width of the column, for the caption */
function plateAt(
  sheet: Sheet,
  { title, photo, drawn, received }: Plate,
  { box, width }: { readonly box: { x: number; y: number; width: number; height: number }; readonly width: number },
): void {
  const { x, y, height } = box
  if (drawn !== null && 'bytes' in drawn) {
    sheet.picture(drawn, `${title}, reçue le ${received}`, box)
    sheet.panel(box, { stroke: ink.rule, radius: 0 })
  } else {
    sheet.panel(box, { fill: ink.panel, stroke: ink.rule })
    const note = drawn?.note ?? absence(photo)
    const inner = width - 24
    sheet.say('P', note, styles.small, {
      x: x + 12,
      y: y + (height - sheet.heightOf(note, styles.small, inner)) / 2,
      width: inner,
      align: 'center',
    })
  }
  sheet.y = y + height + 3
  sheet.say('P', title, { ...styles.label, color: ink.text, gap: 0 }, { x, width })
  const digest = photo.sha256 === null ? '' : `\nSHA-256${nbsp}: ${photo.sha256.slice(0, 12)}…`
  sheet.say('Caption', `Reçue le ${received}${digest}`, { ...styles.small, size: 7.5 }, { x, width })
}

function absence({ url }: ReportContent['photos'][number]): string {
  if (url === null) return 'Le fichier n’est plus au dossier.'
  const shown = url.length > 90 ? `${url.slice(0, 89)}…` : url
  return `Photo transmise sous forme de lien, non imprimée${nbsp}:\n${shown}`
}
