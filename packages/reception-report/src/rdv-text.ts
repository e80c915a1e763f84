import { companyName, type LetterOf } from '@sav/core/adapter'
import { capital, companyWithin, type FrenchDates, frenchDates, fullName, nbsp, waysToAnswer } from './french.js'

/** A line of text, or a link with its words. */
export type Line = string | { readonly words: string; readonly url: string; readonly isButton: true }

/** The subject and the lines of a mail about an appointment. */
export function rdvLines(letter: LetterOf<'rdv'>): { readonly subject: string; readonly lines: readonly Line[] } {
  const { about, client, societe, debut, fuseau } = letter
  const dates = frenchDates(fuseau)
  const greeting = `Bonjour ${fullName(client)},`
  if (about === 'retard') return { subject: lateSubject(letter), lines: [greeting, ...lateLines(letter, dates)] }
  if (about === 'annulation') return { subject: cancelledSubject(letter), lines: [greeting, ...cancelledLines(letter)] }
  if (letter.before !== null)
    return {
      subject: `Rendez-vous déplacé au ${dates.weekday(debut)} ${dates.day(debut)} – ${companyName(societe)}`,
      lines: [greeting, ...comingLines(letter)],
    }
  const what = about === 'rappel' ? `Rappel${nbsp}: votre rendez-vous` : 'Votre rendez-vous'
  return {
    subject: `${what} du ${dates.weekday(debut)} ${dates.day(debut)} – ${companyName(societe)}`,
    lines: [greeting, ...comingLines(letter)],
  }
}

type Moment = Pick<LetterOf<'rdv'>, 'debut' | 'fin' | 'fuseau'> & Partial<Pick<LetterOf<'rdv'>, 'fin_prevue'>>

/** `mercredi 18 mars 2026 de 9 h 30 à 11 h 00`, `entre … et …` for a time window, `à 9 h 30` without an end. */
export function rdvMoment({ debut, fin, fin_prevue = null, fuseau }: Moment): string {
  const dates = frenchDates(fuseau)
  const day = `${dates.weekday(debut)} ${dates.day(debut)}`
  if (fin === null && fin_prevue !== null) return `${day} de ${dates.time(debut)} à${nbsp}${dates.time(fin_prevue)}`
  if (fin === null) return `${day} à${nbsp}${dates.time(debut)}`
  return `${day} entre ${dates.time(debut)} et ${dates.time(fin)}`
}

function comingLines(letter: LetterOf<'rdv'>): Line[] {
  const { about, confirmed, before, societe, poseur, lieu, page_url, ical, fuseau } = letter
  const shop = companyWithin(societe)
  const moment = rdvMoment(letter)
  const first =
    about === 'rappel'
      ? `Nous vous rappelons votre rendez-vous avec ${shop}, le ${moment}.`
      : before !== null
        ? `Votre rendez-vous avec ${shop}, prévu le ${rdvMoment({ ...before, fuseau })}, est déplacé${nbsp}: ${confirmed ? 'il est confirmé pour' : 'nous viendrons'} le ${moment}.`
        : confirmed
          ? `Votre rendez-vous avec ${shop} est confirmé pour le ${moment}.`
          : `Votre rendez-vous avec ${shop} est prévu le ${moment}.`
  const lines: Line[] = [
    first,
    lieu === null ? `${poseur} viendra chez vous.` : `${poseur} viendra à cette adresse${nbsp}: ${lieu}.`,
  ]
  if (page_url !== null) lines.push(...pageLines(letter, page_url))
  else lines.push(`Un empêchement\u00a0? ${reachUs(letter)}`)
  if (ical !== null) lines.push('Le fichier joint ajoute le rendez-vous à votre agenda.')
  return lines
}

const pageLines = ({ confirmed, societe }: LetterOf<'rdv'>, url: string): Line[] => [
  confirmed
    ? 'Un empêchement\u00a0? Jusqu’à 24 heures avant, déplacez ou annulez le rendez-vous vous-même. Vous pouvez aussi nous laisser un code d’accès.'
    : 'Merci de nous dire s’il vous convient. Jusqu’à 24 heures avant, vous pouvez aussi en choisir un autre ou l’annuler, et à tout moment nous laisser un code d’accès.',
  { words: confirmed ? 'Gérer mon rendez-vous' : 'Confirmer ou changer mon rendez-vous', url, isButton: true },
  ...(waysToAnswer(societe) === null ? [] : [`Moins de 24 heures avant, ${waysToAnswer(societe)}.`]),
]

/** The time of a cancelled appointment as it was last announced to the customer. */
const cancelledMoment = (letter: LetterOf<'rdv'>) => rdvMoment({ ...(letter.before ?? letter), fuseau: letter.fuseau })

const cancelledSubject = (letter: LetterOf<'rdv'>) =>
  `Rendez-vous annulé${nbsp}: ${cancelledMoment(letter)} – ${companyName(letter.societe)}`

const cancelledLines = (letter: LetterOf<'rdv'>): Line[] => [
  `Votre rendez-vous avec ${companyWithin(letter.societe)}, prévu le ${cancelledMoment(letter)}, est annulé${nbsp}: personne ne viendra.`,
  `Une question${nbsp}? ${reachUs(letter)}`,
  ...(letter.ical === null ? [] : ['Le fichier joint retire le rendez-vous de votre agenda.']),
]

const lateSubject = ({ retard_minutes, societe }: LetterOf<'rdv'>) =>
  `Environ ${minutesText(retard_minutes)} de retard – ${companyName(societe)}`

function lateLines(letter: LetterOf<'rdv'>, dates: FrenchDates): Line[] {
  const { poseur, retard_minutes, debut, fin } = letter
  const agreed = fin === null ? `à${nbsp}${dates.time(debut)}` : `entre ${dates.time(debut)} et ${dates.time(fin)}`
  return [
    `${poseur} a pris du retard${nbsp}: attendu chez vous ${agreed}, il aura environ ${minutesText(retard_minutes)} de retard.`,
    `Nous vous prions de nous en excuser. ${reachUs(letter)}`,
  ]
}

function minutesText(minutes: number | null): string {
  const [hours, rest] = [Math.floor((minutes ?? 0) / 60), (minutes ?? 0) % 60]
  if (hours === 0) return `${rest}${nbsp}minute${rest > 1 ? 's' : ''}`
  return [hours, 'h', ...(rest === 0 ? [] : [String(rest).padStart(2, '0')])].join(nbsp)
}

function reachUs({ societe }: LetterOf<'rdv'>): string {
  const ways = waysToAnswer(societe)
  return ways === null ? 'Merci de nous prévenir.' : `${capital(ways)}.`
}
