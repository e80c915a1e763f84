import type { Letter, NoticeLetter, RdvLetter, ReportLetter } from '@sav/core/ports'
import { companyName, type FrenchDates, fullName, nbsp, reportTitle, unbreakable } from './french.js'
import { type Line, rdvLines } from './rdv-text.js'

/** A mail before it is addressed. */
export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Null where nothing is attached. */
  readonly attachment: Attachment | null
}

interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: string | Uint8Array
}

export function mailText(letter: Letter, dates: FrenchDates): MailText {
  switch (letter.kind) {
    case 'report':
      return reportMail(letter, dates)
    case 'notice':
      return noticeMail(letter, dates)
    case 'rdv':
      return rdvMail(letter)
  }
}

function rdvMail(letter: RdvLetter): MailText {
  const { societe, ical } = letter
  const { subject, lines } = rdvLines(letter)
  return {
    subject: oneLine(subject),
    ...written(lines, companyName(societe)),
    attachment:
      ical === null
        ? null
        : { filename: 'rendez-vous.ics', contentType: 'text/calendar; charset=utf-8', content: ical },
  }
}

function reportMail(letter: ReportLetter, dates: FrenchDates): MailText {
  const { reference, societe, client, signed, hash_sha256, check_url, pdf } = letter
  const title = reportTitle(signed)
  const what = signed ? 'le procès-verbal de réception' : 'le rapport de fin d’intervention'
  const lines: Line[] = [
    `Bonjour ${fullName(client)},`,
    `L’intervention de votre dossier ${reference} a été clôturée le ${dates.day(letter.date_cloture)}. Vous trouverez ci-joint ${what}${nbsp}: conservez-le avec vos papiers.`,
    `Empreinte du dossier (SHA-256)${nbsp}: ${hash_sha256}`,
  ]
  if (check_url !== null) lines.push({ words: 'Vérifier ce document', url: check_url })
  if (societe.email !== null) lines.push('Une question, une remarque ? Répondez simplement à ce message.')
  return {
    subject: oneLine(`${title} ${reference} – ${companyName(societe)}`),
    ...written(lines, companyName(societe)),
    attachment: { filename: reportFileName(letter), contentType: 'application/pdf', content: pdf },
  }
}

/** `SAV-2026-00001-pv-de-reception.pdf` */
export const reportFileName = ({ reference, signed }: Pick<ReportLetter, 'reference' | 'signed'>): string =>
  `${reference}-${signed ? 'pv-de-reception' : 'rapport-de-fin-d-intervention'}.pdf`

function noticeMail({ notice, societe }: NoticeLetter, dates: FrenchDates): MailText {
  const [subject, ...lines] = noticeLines(notice, dates)
  return {
    subject: oneLine(subject),
    ...written(['Bonjour,', ...lines], `Service SAV – ${companyName(societe)}`),
    attachment: null,
  }
}

const disabledSince = {
  gone: 'une livraison s’est terminée par la réponse 410 (Gone)',
  failing: 'cinq jours sans une seule livraison réussie',
} as const

function noticeLines(notice: NoticeLetter['notice'], dates: FrenchDates): readonly [string, ...string[]] {
  switch (notice.type) {
    case 'endpoint_disabled':
      return [
        'Un webhook a été désactivé',
        `Le webhook ${notice.url} a été désactivé le ${dates.moment(notice.date)}.`,
        `Raison${nbsp}: ${disabledSince[notice.reason]}.`,
        'Ses envois attendent, 30 jours au plus, et partiront dès que vous l’aurez réactivé.',
      ]
    case 'key_expires':
      return [
        `La clé d’API «${nbsp}${notice.nom}${nbsp}» expire bientôt`,
        `La clé d’API «${nbsp}${notice.nom}${nbsp}» cessera de fonctionner le ${dates.moment(notice.date)}.`,
        'Créez une nouvelle clé et installez-la dans votre application avant cette date.',
      ]
  }
}

function written(lines: readonly Line[], sender: string): { text: string; html: string } {
  const all = [...lines, `Cordialement,\n${sender}`].map((line) =>
    typeof line === 'string' ? unbreakable(line) : line,
  )
  const text = all.map((line) => (typeof line === 'string' ? line : `${line.words}${nbsp}: ${line.url}`)).join('\n\n')
  const paragraphs = all.map((line) =>
    typeof line === 'string'
      ? escaped(line).replaceAll('\n', '<br>')
      : `<a href="${escaped(line.url)}" style="color:#173f5f">${escaped(line.words)}</a>`,
  )
  const html = `<!doctype html>
<html lang="fr"><head><meta charset="utf-8"></head>
<body style="font-family:'Segoe UI',Helvetica,Arial,sans-serif;font-size:15px;line-height:1.5;color:#1d2733;max-width:36em">
${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}
</body></html>
`
  return { text: `${text}\n`, html }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** Without the line ends and other controls that a header must not have. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim()
