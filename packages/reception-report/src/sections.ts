import type { ReportContent, ReportPhoto } from '@sav/core/ports'
import { unknownMark } from './fonts.js'
import { companyName, type FrenchDates, fullName, nbsp, problemNames, reportTitle, spacedSiret } from './french.js'
import type { Drawn } from './photos.js'
import { qrModules } from './qr.js'
import { type Box, ink, type Sheet, styles } from './sheet.js'

/** Company on the left, what this is on the right. */
export function head(
  sheet: Sheet,
  content: ReportContent,
  { logo, dates }: { logo: Drawn | null; dates: FrenchDates },
): void {
  const { societe, reference, signature } = content
  const top = sheet.y
  const column = sheet.width * 0.42
  sheet.group('Sect', () => {
    if (logo !== null && 'bytes' in logo) {
      sheet.picture(logo, `Logo de ${companyName(societe)}`, { x: sheet.left, y: top, width: 150, height: 54 }, 'left')
      sheet.y = top + 62
    }
    sheet.say('P', companyName(societe), styles.company, { width: column })
    for (const line of [societe.adresse, societe.siret && `SIRET${nbsp}${spacedSiret(societe.siret)}`, societe.email])
      if (line) sheet.say('P', line, { ...styles.small, gap: 0 }, { width: column })
  })
  const underCompany = sheet.y

  const right = { x: sheet.left + column + 20, width: sheet.width - column - 20, align: 'right' } as const
  sheet.group('Sect', () => {
    sheet.say('H1', reportTitle(signature !== null), styles.title, { ...right, y: top - 4 })
    sheet.say('P', reference, { ...styles.strong, size: 13 }, right)
    sheet.say('P', `Établi le ${dates.moment(content.date_cloture)}`, styles.small, right)
  })
  sheet.y = Math.max(underCompany, sheet.y) + 10
  sheet.rule({ x: sheet.left, y: sheet.y, width: sheet.width, color: ink.accent, weight: 1.5 })
  sheet.y += 14
}

/** Two panels: who and where, and the case. */
export function parties(sheet: Sheet, content: ReportContent, dates: FrenchDates): void {
  const { client, reference, type_probleme, poseur } = content
  const customer = [
    ['Client', fullName(client)],
    ['Lieu d’intervention', client.adresse ?? 'Non renseigné'],
    ['Intervenant', poseur ?? 'Non renseigné'],
  ] as const
  const file = [
    ['Dossier', `${reference} – ${problemNames[type_probleme]}`],
    ['Ouvert le', dates.moment(content.date_creation)],
    ['Clôturé le', dates.moment(content.date_cloture)],
  ] as const
  const gutter = 14
  const padding = 12
  const width = (sheet.width - gutter) / 2
  const inner = width - 2 * padding
  const heightOf = (pairs: readonly (readonly [string, string])[]) =>
    pairs.reduce(
      (sum, [label, value]) => sum + sheet.heightOf(label, styles.label, inner) + sheet.heightOf(value, fact, inner),
      0,
    )
  const height = Math.max(heightOf(customer), heightOf(file)) + 2 * padding - (fact.gap ?? 0)
  const top = sheet.y
  ;[customer, file].forEach((pairs, index) => {
    const x = sheet.left + index * (width + gutter)
    sheet.panel({ x, y: top, width, height }, { fill: ink.panel })
    sheet.y = top + padding
    sheet.group('Sect', () => {
      for (const [label, value] of pairs) {
        sheet.say('P', label, styles.label, { x: x + padding, width: inner })
        sheet.say('P', value, fact, { x: x + padding, width: inner })
      }
    })
  })
  sheet.y = top + height + 20
}

const fact = { ...styles.strong, gap: 6 }

/** A heading with the text below it. */
export function chapter(sheet: Sheet, title: string, text: string): void {
  sheet.group('Sect', () => {
    heading(sheet, title)
    for (const paragraph of text.split(/\n\s*\n/)) sheet.say('P', paragraph.trim(), styles.body)
  })
  sheet.y += 8
}

/** `room`: what has to stand below it on the same page. */
function heading(sheet: Sheet, title: string, room = 36): void {
  sheet.keep(sheet.heightOf(title, styles.heading) + room)
  sheet.say('H2', title, styles.heading)
}

/** One photo of a row: what is written above and below it, and itself. */
export interface Plate {
  readonly title: string
  readonly photo: ReportPhoto
  readonly drawn: Drawn | null
  /** When it reached the file. */
  readonly received: string
}

/** Photos in rows of `columns`, each with its date and the beginning of its SHA-256. */
export function photoRows(
  sheet: Sheet,
  title: string,
  plates: readonly Plate[],
  { columns, height }: { columns: number; height: number },
): void {
  const gutter = 12
  const width = (sheet.width - gutter * (columns - 1)) / columns
  const caption = 40
  sheet.group('Sect', () => {
    heading(sheet, title, height + caption)
    for (let from = 0; from < plates.length; from += columns) {
      sheet.keep(height + caption)
      const top = sheet.y
      plates.slice(from, from + columns).forEach((plate, index) => {
        plateAt(sheet, plate, { x: sheet.left + index * (width + gutter), y: top, width, height })
      })
      sheet.y = top + height + caption + 6
    }
  })
  sheet.y += 8
}

function plateAt(sheet: Sheet, { title, photo, drawn, received }: Plate, box: Box): void {
  const { x, y, width, height } = box
  sheet.panel(box, { fill: ink.panel, stroke: ink.rule })
  if (drawn !== null && 'bytes' in drawn) {
    const inset = { x: x + 3, y: y + 3, width: width - 6, height: height - 6 }
    sheet.picture(drawn, `${title}, reçue le ${received}`, inset)
  } else {
    const note = drawn?.note ?? absence(photo)
    const inner = width - 24
    sheet.say('P', note, styles.small, {
      x: x + 12,
      y: y + (height - sheet.heightOf(note, styles.small, inner)) / 2,
      width: inner,
      align: 'center',
    })
  }
  sheet.y = y + height + 4
  sheet.say('P', title, { ...styles.label, color: ink.text }, { x, width })
  const digest = photo.sha256 === null ? '' : `\nSHA-256${nbsp}: ${photo.sha256.slice(0, 12)}…`
  sheet.say('Caption', `Reçue le ${received}${digest}`, { ...styles.small, size: 8 }, { x, width })
}

function absence({ url }: ReportPhoto): string {
  if (url === null) return 'Le fichier n’est plus au dossier.'
  const shown = url.length > 90 ? `${url.slice(0, 89)}…` : url
  return `Photo transmise sous forme de lien, non imprimée${nbsp}:\n${shown}`
}

/** What the customer accepts with reservations: numbered, or said to be none. */
export function reservations(sheet: Sheet, { reserves, signature }: ReportContent): void {
  sheet.group('Sect', () => {
    heading(sheet, 'Réserves')
    if (reserves.length === 0) {
      sheet.say(
        'P',
        signature === null ? 'Aucune réserve n’a été consignée.' : 'Réception prononcée sans réserve.',
        styles.body,
      )
      return
    }
    const count = reserves.length === 1 ? 'la réserve suivante' : `les ${reserves.length} réserves suivantes`
    sheet.say(
      'P',
      signature === null ? `Consignées à la clôture${nbsp}:` : `Réception prononcée avec ${count}${nbsp}:`,
      styles.body,
    )
    sheet.group('L', () => {
      reserves.forEach((reserve, index) => {
        const indent = 24
        sheet.keep(sheet.heightOf(reserve, styles.body, sheet.width - indent))
        sheet.group('LI', () => {
          const { y } = sheet
          sheet.say('Lbl', `${index + 1}.`, styles.strong, { width: indent - 6, align: 'right' })
          sheet.say('LBody', reserve, styles.body, { x: sheet.left + indent, y })
        })
      })
    })
  })
  sheet.y += 8
}

/** The box with the signature and the name of whom it is, never torn by a page. */
export function signatureBox(
  sheet: Sheet,
  content: ReportContent,
  { drawn, dates }: { drawn: Drawn | null; dates: FrenchDates },
): void {
  const { reserves, signataire_nom, date_cloture } = content
  sheet.group('Sect', () => {
    if (drawn === null) {
      heading(sheet, 'Signature')
      sheet.say('P', 'Ce rapport n’a pas été signé par le client : il ne vaut pas réception.', styles.body)
      return
    }
    const how =
      reserves.length === 0
        ? 'sans réserve'
        : reserves.length === 1
          ? 'avec la réserve énoncée ci-dessus'
          : 'avec les réserves énoncées ci-dessus'
    const statement = `Le client reconnaît que l’intervention décrite ci-dessus a été réalisée et la réceptionne ${how}.`
    const padding = 14
    const inner = sheet.width - 2 * padding
    const pad = 76
    const column = inner * 0.55
    const name = `Nom du signataire${nbsp}: ${signataire_nom ?? 'non renseigné'}`
    const above = sheet.heightOf(statement, styles.body, inner)
    const below = Math.max(28, sheet.heightOf(name, styles.strong, column))
    const height = padding + above + pad + below + padding
    heading(sheet, 'Signature du client', height)
    const top = sheet.y
    sheet.panel({ x: sheet.left, y: top, width: sheet.width, height }, { stroke: ink.accent })
    sheet.say('P', statement, styles.body, { x: sheet.left + padding, y: top + padding, width: inner })
    const box = { x: sheet.left + padding, y: top + padding + above + 2, width: column, height: pad - 8 }
    if ('bytes' in drawn) sheet.picture(drawn, `Signature de ${signataire_nom ?? 'la personne présente'}`, box, 'left')
    else sheet.say('P', drawn.note, styles.small, { x: box.x, y: box.y + pad / 2, width: box.width })
    const line = top + padding + above + pad
    sheet.rule({ x: box.x, y: line, width: column, color: ink.quiet, weight: 0.75 })
    sheet.say('P', name, styles.strong, { x: box.x, y: line + 6, width: column })
    sheet.say('P', `Recueillie à la clôture,\nle ${dates.moment(date_cloture)}`, styles.small, {
      x: sheet.left + padding + inner * 0.6,
      y: line + 7,
      width: inner * 0.4,
      align: 'right',
    })
    sheet.y = top + height
  })
  sheet.y += 14
}

/** The evidence: what the report is bound to, and where anyone may check it. */
export function evidence(sheet: Sheet, { preuve, check_url }: ReportContent): void {
  const explanation =
    'L’empreinte du dossier est le SHA-256 de tout son contenu à la clôture, photos et signature comprises : la moindre modification la changerait. ' +
    'Elle est inscrite à la chaîne des clôtures de l’entreprise, où chaque entrée scelle la précédente.'
  const padding = 12
  const qr = check_url === null ? 0 : 90
  const inner = sheet.width - 2 * padding - (qr === 0 ? 0 : qr + 12)
  const facts = [
    ['Empreinte du dossier (SHA-256)', preuve.hash_sha256],
    [`Entrée n°${nbsp}${preuve.sequence} de la chaîne`, preuve.hash_entree],
  ] as const
  const intro = { ...styles.small, gap: 6 }
  const heights = [
    sheet.heightOf(explanation, intro, inner),
    ...facts.flatMap(([label, value]) => [
      sheet.heightOf(label, styles.label, inner),
      sheet.heightOf(value, styles.digest, inner),
    ]),
  ]
  const written = heights.reduce((sum, height) => sum + height) - styles.digest.gap
  const height = Math.max(written, qr === 0 ? 0 : qr + 12) + 2 * padding
  sheet.group('Sect', () => {
    heading(sheet, 'Preuve d’intégrité', height)
    const top = sheet.y
    const x = sheet.left + padding
    sheet.panel({ x: sheet.left, y: top, width: sheet.width, height }, { fill: ink.panel })
    sheet.y = top + padding
    sheet.say('P', explanation, intro, { x, width: inner })
    for (const [label, value] of facts) {
      sheet.say('P', label, styles.label, { x, width: inner })
      sheet.say('P', value, styles.digest, { x, width: inner })
    }
    if (check_url !== null) {
      const box = { x: sheet.left + sheet.width - padding - qr, y: top + padding, width: qr, height: qr }
      sheet.modules(qrModules(check_url), `Code QR vers la page de vérification : ${check_url}`, box)
      sheet.say(
        'P',
        'Vérifier en ligne',
        { ...styles.small, size: 8 },
        { x: box.x, y: box.y + qr + 2, width: qr, align: 'center' },
      )
    }
    sheet.y = top + height
  })
  sheet.y += 10
}

/** What the law asks a professional to say, in small print. */
export function notices(sheet: Sheet, { societe }: ReportContent): void {
  const contact = societe.email === null ? '' : ` en écrivant à ${societe.email}`
  const paragraphs = [
    `Protection des données${nbsp}: ${companyName(societe)} traite les données de ce document (identité, adresse, photos, signature) pour exécuter l’intervention et en conserver la preuve, le temps des garanties et des prescriptions légales. Vous pouvez demander l’accès à vos données, leur rectification, leur effacement ou la limitation de leur traitement, ou vous y opposer,${contact === '' ? ' auprès de l’entreprise' : contact}, et saisir la CNIL (www.cnil.fr).`,
    societe.assureur !== null && `Assurance${nbsp}: ${societe.assureur}`,
    societe.mediateur !== null && `Médiation de la consommation${nbsp}: ${societe.mediateur}`,
    sheet.replaced &&
      `${unknownMark} remplace un caractère que ce document ne peut imprimer (un émoji, par exemple)${nbsp}; le texte exact est au dossier.`,
  ].filter((paragraph) => paragraph !== false)
  const fine = { ...styles.small, size: 8, lineGap: 0.5 }
  sheet.group('Sect', () => {
    sheet.keep(8 + paragraphs.reduce((sum, paragraph) => sum + sheet.heightOf(paragraph, fine), 0))
    sheet.rule({ x: sheet.left, y: sheet.y, width: sheet.width, color: ink.rule, weight: 0.5 })
    sheet.y += 8
    for (const paragraph of paragraphs) sheet.say('P', paragraph, fine)
  })
}
