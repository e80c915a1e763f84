import { companyName, type LetterOf } from '@sav/core/adapter'
import type { Letter, StoredFile } from '@sav/core/ports'
import {
  capital,
  earlierReport,
  type FrenchDates,
  fullName,
  nbsp,
  ofCompany,
  reportTitle,
  spacedTelephone,
  typeset,
  waysToAnswer,
} from './french.js'
import { type MailBody, type MailSender, type Part, written } from './mail-body.js'
import { rdvLines } from './rdv-text.js'

/** A mail without the addresses of sender and recipient. */
export interface MailText extends MailBody {
  readonly subject: string
  readonly attachments: readonly Attachment[]
}

interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: string | Uint8Array
  /** The content id of a picture in the text. */
  readonly cid?: string
}

export function mailText(letter: Letter, dates: FrenchDates): MailText {
  switch (letter.kind) {
    case 'report':
      return reportMail(letter, dates)
    case 'notice':
      return noticeMail(letter, dates)
    case 'rdv':
      return rdvMail(letter)
    case 'invitation':
      return invitationMail(letter, dates)
  }
}

function rdvMail(letter: LetterOf<'rdv'>): MailText {
  const { societe, ical, logo } = letter
  const { subject, lines } = rdvLines(letter)
  const invitation = { filename: 'rendez-vous.ics', contentType: 'text/calendar; charset=utf-8' }
  return {
    subject: oneLine(subject),
    ...written(lines, signedBy(societe), logo && logoCid),
    attachments: [...pictured(logo), ...(ical === null ? [] : [{ ...invitation, content: ical }])],
  }
}

function reportMail(letter: LetterOf<'report'>, dates: FrenchDates): MailText {
  const { reference, societe, client, signed, hash_sha256, check_url, pdf, remplace, resolution, logo } = letter
  const title = reportTitle(signed)
  const what = signed ? 'Le procès-verbal de réception' : 'Le rapport de fin d’intervention'
  const closed = `L’intervention de votre dossier ${reference} a été clôturée le ${dates.day(letter.date_cloture)}.`
  const replaces = remplace === null ? '' : ` Il remplace ${earlierReport(remplace, dates)}.`
  const parts: Part[] = [
    `Bonjour ${fullName(client)},`,
    `${closed} ${what} est joint à ce message${nbsp}: conservez-le avec vos papiers.${replaces}`,
    { heading: 'Ce qui a été fait' },
    typeset(resolution),
    ...reservationParts(letter),
  ]
  if (check_url !== null) parts.push({ words: 'Vérifier ce document', url: check_url, isButton: true })
  const ways = waysToAnswer(societe)
  if (ways !== null) parts.push(`Une question, une remarque${nbsp}? ${capital(ways)}.`)
  return {
    subject: oneLine(`${title} ${reference} – ${companyName(societe)}`),
    ...written(parts, signedBy(societe), logo && logoCid, {
      label: 'Empreinte du dossier (SHA-256)',
      text: hash_sha256,
    }),
    attachments: [
      ...pictured(logo),
      { filename: reportFileName(letter), contentType: 'application/pdf', content: pdf },
    ],
  }
}

function reservationParts({ reserves, signed }: LetterOf<'report'>): Part[] {
  const [only] = reserves
  if (only === undefined) return signed ? ['Vous avez réceptionné les travaux sans réserve.'] : []
  return [{ heading: reserves.length === 1 ? 'Réserve' : 'Réserves' }, { list: reserves.map(typeset) }]
}

const signedBy = (societe: LetterOf<'rdv'>['societe']): MailSender => ({
  name: companyName(societe),
  telephone: societe.telephone && spacedTelephone(societe.telephone),
  couleur: societe.couleur,
})

/** `SAV-2026-00001-pv-de-reception.pdf` */
export const reportFileName = ({ reference, signed }: Pick<LetterOf<'report'>, 'reference' | 'signed'>): string =>
  `${reference}-${signed ? 'pv-de-reception' : 'rapport-de-fin-d-intervention'}.pdf`

const logoCid = 'logo@sav'

const pictured = (logo: StoredFile | null): Attachment[] =>
  logo === null
    ? []
    : [
        {
          filename: logo.media_type === 'image/png' ? 'logo.png' : 'logo.jpg',
          contentType: logo.media_type,
          content: logo.content,
          cid: logoCid,
        },
      ]

function invitationMail({ societe, nom, url, expire_a }: LetterOf<'invitation'>, dates: FrenchDates): MailText {
  const company = companyName(societe)
  const parts: Part[] = [
    `Bonjour ${nom},`,
    `Ce lien vous ouvre ${ofCompany('le service après-vente', societe)}, une seule fois, jusqu’au ${dates.moment(expire_a)}.`,
    { words: 'Ouvrir ma session', url, isButton: true },
    'Ne le transmettez à personne\u00a0: qui l’ouvre entre sous votre nom. S’il a expiré, demandez-en un autre.',
  ]
  return {
    subject: oneLine(`Votre accès – ${company}`),
    ...written(parts, { name: company, telephone: null, couleur: societe.couleur }),
    attachments: [],
  }
}

function noticeMail({ notice, societe }: LetterOf<'notice'>, dates: FrenchDates): MailText {
  const [subject, ...lines] = noticeLines(notice, dates)
  return {
    subject: oneLine(subject),
    ...written(['Bonjour,', ...lines], {
      ...signedBy(societe),
      name: ofCompany('Service SAV', societe, ' – '),
      telephone: null,
    }),
    attachments: [],
  }
}

const disabledSince = {
  gone: 'une livraison s’est terminée par la réponse 410 (Gone)',
  failing: 'cinq jours sans une seule livraison réussie',
} as const

const acts = { annule: 'annulé', deplace: 'déplacé' } as const

function noticeLines(notice: LetterOf<'notice'>['notice'], dates: FrenchDates): readonly [string, ...string[]] {
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
    case 'rdv_client': {
      const { acte, client, reference, telephone, debut, ancien_debut, motif } = notice
      const about = reference === null ? '' : ` (dossier ${reference})`
      const when =
        ancien_debut === null
          ? `du ${dates.moment(debut)}`
          : `du ${dates.moment(ancien_debut)} au ${dates.moment(debut)}`
      return [
        `${fullName(client)} a ${acts[acte]} son rendez-vous`,
        `${fullName(client)} a ${acts[acte]} son rendez-vous ${when}${about}.`,
        ...(motif === null ? [] : [typeset(motif)]),
        ...(telephone === null ? [] : [`Téléphone${nbsp}: ${spacedTelephone(telephone)}.`]),
        'Il est dans la liste de ce qui est à traiter.',
      ]
    }
  }
}

/** The text without line breaks and other control characters, which a header must not contain. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim()
