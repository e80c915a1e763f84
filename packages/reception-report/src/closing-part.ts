import type { ReportContent } from '@sav/core/ports'
import QRCode from 'qrcode'
import { unknownMark } from './fonts.js'
import { companyWithin, earlierReport, type FrenchDates, nbsp, townOf, typeset } from './french.js'
import type { DrawnPicture } from './photos.js'
import { closedAt } from './sections.js'
import { ink, type Sheet, styles, type TextStyle } from './sheet.js'

/** A block of known height that never breaks across pages. */
interface Block {
  readonly height: number
  draw(): void
}

/**
 * Lays out the reservations, the signature, the evidence and the legal notices. Reservations and signature are on one
 * page if they fit; otherwise the last reservations are on the page of the signature. The evidence and the notices
 * follow on one page, the notices at its foot.
 */
export function closingPart(
  sheet: Sheet,
  content: ReportContent,
  { signature, dates }: { signature: DrawnPicture | null; dates: FrenchDates },
): void {
  const listed = [...earlierReservations(sheet, content, dates), reservations(sheet, content)]
  // The notices say whether a character was replaced, so they are prepared last.
  const box = signatureBox(sheet, content, { drawn: signature, dates })
  const behind = [evidence(sheet, content), notices(sheet, content)]
  const after = box.height
  const all = after + listed.reduce((sum, { intro, items }) => sum + intro.height + heightOf(items), 0)
  if (all <= sheet.height) sheet.keep(all)
  for (const [index, { intro, items }] of listed.entries()) {
    const [first] = items
    const isLast = index === listed.length - 1
    const needs = (item: Block | undefined) => (item?.height ?? 0) + (isLast && item === items.at(-1) ? after : 0)
    sheet.group('Sect', () => {
      sheet.keep(intro.height + needs(first))
      intro.draw()
      if (first === undefined) return
      sheet.group('L', () => {
        for (const item of items) {
          sheet.keep(needs(item))
          item.draw()
        }
      })
    })
  }
  box.draw()
  sheet.keep(heightOf(behind))
  for (const block of behind) block.draw()
}

const heightOf = (blocks: readonly Block[]) => blocks.reduce((sum, { height }) => sum + height, 0)

/** A list with its introduction. */
interface IntroducedList {
  readonly intro: Block
  readonly items: readonly Block[]
}

/** The space between two parts, in points. */
const between = 8

/** The customer's numbered reservations, or a line that says that there are none. */
function reservations(sheet: Sheet, { reserves, signature }: ReportContent): IntroducedList {
  if (reserves.length === 0)
    return headed(
      sheet,
      'Réserves',
      signature === null ? 'Aucune réserve n’a été consignée.' : 'Réception prononcée sans réserve.',
      [],
    )
  const count = reserves.length === 1 ? 'la réserve suivante' : `les ${reserves.length} réserves suivantes`
  const said = signature === null ? `Consignées à la clôture${nbsp}:` : `Réception prononcée avec ${count}${nbsp}:`
  return headed(sheet, 'Réserves', said, reserves)
}

/** The reservations of the replaced report. */
function earlierReservations(sheet: Sheet, { remplace }: ReportContent, dates: FrenchDates): IntroducedList[] {
  if (remplace === null || remplace.reserves.length === 0) return []
  const said = `Le dossier a été rouvert depuis. Ce rapport remplace ${earlierReport(remplace, dates)}, qui portait${nbsp}:`
  return [headed(sheet, 'Réserves du rapport précédent', said, remplace.reserves)]
}

function headed(sheet: Sheet, title: string, sentence: string, items: readonly string[]): IntroducedList {
  const indent = 20
  const behind = (isLast: boolean) => (isLast ? between : 0)
  const introduced =
    sheet.heightOf(title, styles.heading) + sheet.heightOf(sentence, styles.body) + behind(items.length === 0)
  return {
    intro: {
      height: introduced,
      draw() {
        const { y } = sheet
        sheet.say('H2', title, styles.heading)
        sheet.say('P', sentence, styles.body)
        sheet.y = y + introduced
      },
    },
    items: items.map((item, index) => {
      const text = typeset(item)
      const height = sheet.heightOf(text, styles.body, sheet.width - indent) + behind(index === items.length - 1)
      return {
        height,
        draw() {
          const { y } = sheet
          sheet.group('LI', () => {
            sheet.say('Lbl', `${index + 1}.`, styles.strong, { width: indent - 6, align: 'right' })
            sheet.say('LBody', text, styles.body, { x: sheet.left + indent, y })
          })
          sheet.y = y + height
        },
      }
    }),
  }
}

/** The box with the signature and the signer's name, the place and date, and the customer. */
function signatureBox(
  sheet: Sheet,
  content: ReportContent,
  { drawn, dates }: { drawn: DrawnPicture | null; dates: FrenchDates },
): Block {
  const { reserves, signataire_nom, client, poseur, societe } = content
  const town = client.adresse && townOf(client.adresse)
  const done = `Fait ${town ? `à ${town}, ` : ''}le ${dates.moment(closedAt(content))}`
  const by = poseur === null ? null : `Pour ${companyWithin(societe)}${nbsp}: ${poseur}`
  if (drawn === null)
    return unsigned(
      sheet,
      [done, by].filter((line) => line !== null),
    )

  const how =
    reserves.length === 0
      ? 'sans réserve'
      : reserves.length === 1
        ? 'avec la réserve énoncée'
        : 'avec les réserves énoncées'
  const statement = `Le client reconnaît que l’intervention décrite ci-dessus a été réalisée et la réceptionne ${how}.`
  const padding = 10
  const inner = sheet.width - 2 * padding
  const pad = 46
  const column = inner * 0.52
  const name = signataire_nom === null ? '' : `Nom du signataire${nbsp}: ${signataire_nom}`
  const title = 'Signature du client'
  const aside = { x: sheet.left + padding + column + 16, width: inner - column - 16 }
  const right = [done, by].filter((line) => line !== null)
  const rightHeight = right.reduce((sum, line) => sum + sheet.heightOf(line, signed, aside.width), 0)
  const above = sheet.heightOf(statement, styles.body, inner)
  const below = Math.max(name === '' ? 0 : sheet.heightOf(name, styles.strong, column) + 4, rightHeight - pad)
  const box = padding + above + pad + below + padding
  const headingHeight = sheet.heightOf(title, styles.heading)
  return {
    height: headingHeight + box + between,
    draw() {
      const start = sheet.y
      sheet.group('Sect', () => {
        sheet.say('H2', title, styles.heading)
        const top = sheet.y
        const x = sheet.left + padding
        sheet.panel({ x: sheet.left, y: top, width: sheet.width, height: box }, { stroke: ink.accent })
        sheet.say('P', statement, styles.body, { x, y: top + padding, width: inner })
        const line = top + padding + above + pad
        const place = { x, y: top + padding + above, width: column, height: pad - 4 }
        if ('bytes' in drawn) sheet.picture(drawn, `Signature de ${signataire_nom ?? 'la personne présente'}`, place)
        else sheet.say('P', drawn.note, styles.small, { x, y: place.y + pad / 2, width: column })
        sheet.rule({ x, y: line, width: column, color: ink.quiet, weight: 0.75 })
        sheet.say('P', name, styles.strong, { x, y: line + 4, width: column })
        sheet.y = place.y
        for (const said of right) sheet.say('P', said, signed, aside)
      })
      sheet.y = start + headingHeight + box + between
    },
  }
}

const signed = { ...styles.strong, gap: 5 }

function unsigned(sheet: Sheet, lines: readonly string[]): Block {
  const title = 'Signature'
  const said = 'Ce rapport n’a pas été signé par le client : il ne vaut pas réception.'
  const texts: readonly (readonly [string, TextStyle])[] = [
    [said, styles.body],
    ...lines.map((line) => [line, styles.strong] as const),
  ]
  const height = texts.reduce((sum, [text, style]) => sum + sheet.heightOf(text, style), 0)
  return {
    height: sheet.heightOf(title, styles.heading) + height + between,
    draw() {
      sheet.group('Sect', () => {
        sheet.say('H2', title, styles.heading)
        for (const [text, style] of texts) sheet.say('P', text, style)
      })
      sheet.y += between
    },
  }
}

/** The evidence, and the address for checking it. */
function evidence(sheet: Sheet, { preuve, check_url, check_address }: ReportContent): Block {
  const title = 'Preuve d’intégrité'
  const explanation =
    'SHA-256 de tout le dossier, photos et signature comprises ; chaque entrée de la chaîne scelle la précédente.'
  const padding = 9
  const qr = check_url === null ? 0 : 68
  const inner = sheet.width - 2 * padding - (qr === 0 ? 0 : qr + 12)
  const heading = { ...styles.strong, color: ink.accent }
  const intro = { ...styles.small, size: 8, gap: 3 }
  const address = check_address?.replace(/^https?:\/\//, '') ?? ''
  const facts = [
    { label: 'Empreinte', value: preuve.hash_sha256, style: styles.digest, url: check_url },
    { label: `Entrée n°${nbsp}${preuve.sequence}`, value: preuve.hash_entree, style: styles.digest, url: null },
    ...(check_url === null ? [] : [{ label: 'À vérifier sur', value: address, style: styles.link, url: check_url }]),
  ]
  const labels = Math.min(90, Math.max(...facts.map(({ label }) => sheet.widthOf(label, styles.label)))) + 8
  const values = inner - labels
  const written = [
    sheet.heightOf(title, heading, inner),
    sheet.heightOf(explanation, intro, inner),
    ...facts.map(({ value, style }) => sheet.heightOf(value, style, values)),
  ].reduce((sum, height) => sum + height)
  const height = Math.max(written, qr) + 2 * padding
  return {
    height: height + between,
    draw() {
      const top = sheet.y
      const x = sheet.left + padding
      sheet.panel({ x: sheet.left, y: top, width: sheet.width, height }, { fill: ink.panel })
      sheet.y = top + padding
      sheet.group('Sect', () => {
        sheet.say('H2', title, heading, { x, width: inner })
        sheet.say('P', explanation, intro, { x, width: inner })
        for (const { label, value, style, url } of facts) {
          const { y } = sheet
          sheet.say('P', label, styles.label, { x, y, width: labels })
          const place = { x: x + labels, y, width: values }
          if (url === null) sheet.say('P', value, style, place)
          else sheet.sayLink(value, url, style, place)
        }
        if (check_url === null) return
        const box = { x: sheet.left + sheet.width - padding - qr, y: top + padding, width: qr, height: qr }
        sheet.leadTo(check_url, 'Vérifier ce document', box, () =>
          sheet.modules(qrModules(check_url), `Code QR vers la page de vérification : ${check_url}`, box),
        )
      })
      sheet.y = top + height + between
    },
  }
}

/** The legal notices, in small print at the foot of the page. */
function notices(sheet: Sheet, { societe }: ReportContent): Block {
  const contact = societe.email === null ? '' : ` en écrivant à ${societe.email}`
  const paragraphs = [
    `Protection des données${nbsp}: ${companyWithin(societe)} traite les données de ce document (identité, coordonnées, photos, signature) pour exécuter l’intervention et en conserver la preuve, le temps des garanties et des prescriptions légales. Vous pouvez demander l’accès à vos données, leur rectification, leur effacement ou la limitation de leur traitement, ou vous y opposer,${contact === '' ? ' auprès de l’entreprise' : contact}, et saisir la CNIL (www.cnil.fr).`,
    societe.assureur !== null && `Assurance${nbsp}: ${societe.assureur}`,
    societe.mediateur !== null && `Médiation de la consommation${nbsp}: ${societe.mediateur}`,
    sheet.replaced &&
      `${unknownMark} remplace un caractère que ce document ne peut imprimer (un émoji, par exemple)${nbsp}; le texte exact est au dossier.`,
  ].filter((paragraph) => paragraph !== false)
  const height = 6 + paragraphs.reduce((sum, paragraph) => sum + sheet.heightOf(paragraph, styles.fine), 0)
  return {
    height,
    draw() {
      sheet.y = Math.max(sheet.y, sheet.bottom - height)
      sheet.group('Sect', () => {
        sheet.rule({ x: sheet.left, y: sheet.y, width: sheet.width, color: ink.rule, weight: 0.5 })
        sheet.y += 6
        for (const paragraph of paragraphs) sheet.say('P', paragraph, styles.fine)
      })
    },
  }
}

/** The modules of a QR code, row by row; true is dark. Error correction level M, without the quiet zone. */
function qrModules(text: string): boolean[][] {
  const { size, data } = QRCode.create(text, { errorCorrectionLevel: 'M' }).modules
  return Array.from({ length: size }, (_, row) => Array.from(data.subarray(row * size, (row + 1) * size), Boolean))
}
