import {
  type BusinessCalendar,
  dialled,
  e164,
  type Priorite,
  type RdvType,
  rdvTypes,
  type Statut,
  type TypeProbleme,
  typesProbleme,
} from '@sav/core/feature'
import { fold } from '@sav/core/ports'

/**
 * The functions of this file parse cells of tables, in the spellings that people and other systems use. They return
 * null for a cell that is no such value.
 */

const french = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:(?:[ T]|\s*à\s*|\s+)(\d{1,2})[:hH](\d{2})?(?::(\d{2}))?)?$/
const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?)?$/
const exact = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})$/

/** A date without a time, or with the midnight that systems write instead of none. */
export const isDateAlone = (text: string): boolean => {
  const [, , , , ...time] = french.exec(text) ?? iso.exec(text) ?? ['', '', '', '', '1']
  return time.every((part) => Number(part ?? 0) === 0)
}

/**
 * The instant of a date: `03/04/2024` (the third of April), `03/04/2024 14:30`, `2024-04-03`, `2024-04-03 14:30:00`, in
 * local time, or an ISO 8601 instant with an offset.
 * @param beginning the time for a date alone, in minutes after midnight
 */
export function writtenInstant(text: string, calendar: BusinessCalendar, beginning = 0): string | null {
  const precise = exact.exec(text)
  if (precise !== null) return instantOf(precise)
  const local = french.exec(text)
  const read = local ?? iso.exec(text)
  if (read === null) return null
  const [, first = '', month = '', last = '', hours = '0', minutes = '0', seconds = '0'] = read
  const [year, day] = local === null ? [first, last] : [last.length === 2 ? `20${last}` : last, first]
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (!isDay(date) || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  const time = isDateAlone(text) ? beginning : Number(hours) * 60 + Number(minutes)
  const ms = calendar.timeOfDay(date, time) + Number(seconds) * 1000
  return new Date(ms).toISOString()
}

function instantOf([, date, time, offset = '']: RegExpExecArray): string | null {
  const ms = Date.parse(`${date}T${time}${offset.replace('UTC', 'Z')}`)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

function isDay(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}

/**
 * The words of people, and of GLPI, Dolibarr (also its numbers), Zammad, Odoo and ERPNext, in French and in English.
 */
const statutsWritten: Readonly<Record<Statut, readonly string[]>> = {
  ouvert: [
    ...[
      'ouvert',
      'ouverte',
      'nouveau',
      'nouvelle',
      'a traiter',
      'a faire',
      'open',
      'new',
      'reopened',
      'to do',
      'nouvelle demande',
      'new request',
    ],
    ...['non lu', 'lu', 'not read', 'unread', 'read', 'assigned', 'assigne', '0', '1', '2'],
  ],
  en_cours: [
    ...['en cours', 'en attente', 'attente', 'in progress', 'work in progress', 'pending', 'waiting', 'on hold'],
    ...['en cours (attribue)', 'en cours (assigne)', 'en cours (planifie)', 'attribue', 'planifie'],
    ...['processing', 'processing (assigned)', 'processing (planned)', 'planned'],
    ...['needs more information', 'need more information', "necessite plus d'informations", "en attente d'information"],
    ...['repondu', 'answered', 'replied', 'partially completed'],
    ...[
      'pending reminder',
      'pending close',
      'en attente de rappel',
      'en attente de fermeture',
      'en attente de cloture',
    ],
    ...['3', '5', '7'],
  ],
  clos: [
    ...['clos', 'close', 'cloture', 'cloturee', 'ferme', 'fermee', 'closed'],
    ...[
      'resolu',
      'resolue',
      'resolved',
      'solved',
      'termine',
      'terminee',
      'fait',
      'done',
      'completed',
      'fully completed',
      'repare',
      'repaired',
    ],
    ...['annule', 'annulee', 'abandonne', 'abandonnee', 'canceled', 'cancelled', 'supprime', 'deleted', 'removed'],
    ...['fusionne', 'merged', '8', '9'],
  ],
}
const prioritesWritten: Readonly<Record<Priorite, readonly string[]>> = {
  basse: ['basse', 'bas', 'tres basse', 'tres bas', 'faible', 'low', 'very low', 'mineure', 'minor'],
  normale: ['normale', 'normal', 'moyenne', 'moyen', 'medium', 'standard'],
  haute: ['haute', 'haut', 'elevee', 'eleve', 'high', 'importante', 'important'],
  urgente: [
    ...['urgente', 'urgent', 'critique', 'bloquant', 'bloquante', 'critique/bloquant', 'blocking', 'critical'],
    ...['tres haute', 'tres haut', 'tres elevee', 'very high', 'majeure', 'major'],
  ],
}

/** Finds the word that a text means; capitals, accents and punctuation make no difference. */
function reader<Word extends string>(words: Readonly<Record<Word, readonly string[]>>): (text: string) => Word | null {
  const meant = new Map(
    (Object.keys(words) as Word[]).flatMap((word) => words[word].map((each) => [fold(each), word] as const)),
  )
  return (text) => meant.get(fold(text)) ?? meant.get(bareWord(fold(text))) ?? null
}

/** Zammad has `2 normal`, Odoo `Priorité basse` and `Low priority`. */
const bareWord = (folded: string) => folded.replace(/^\d (?=\p{L})|^priorite | priority$/gu, '')

export const writtenStatut = reader(statutsWritten)
export const writtenPriorite = reader(prioritesWritten)
export const writtenTypeProbleme = (text: string): TypeProbleme | null =>
  typesProbleme.find((type) => fold(type) === fold(text)) ?? null
export const writtenRdvType = (text: string): RdvType | null =>
  rdvTypes.find((type) => fold(type) === fold(text)) ?? null

/** Separators between addresses in one cell. */
const betweenAddresses = /[;,|/\r\n\t]/

/** The address in `Claire Durand <claire@x.example>` or `mailto:claire@x.example`. */
const addressIn = (text: string): string => {
  const [, address = text] = /<([^<>]*)>/.exec(text) ?? []
  return address.trim().replace(/^mailto:\s*/i, '')
}

const countAt = (text: string) => text.split('@').length - 1

/** The addresses of a cell, the main one first; a cell without any is returned as it is. */
export function writtenEmails(cell: string): readonly [string, ...string[]] {
  const words = (part: string) => (countAt(part) > 1 ? part.split(/\s+/) : [part])
  const parts = countAt(cell) > 1 ? cell.split(betweenAddresses).flatMap(words) : [cell]
  const found = parts.length === 1 ? parts : parts.filter((part) => part.includes('@'))
  const [first = '', ...others] = new Set(found.map(addressIn))
  return [first, ...others]
}

/**
 * A number that a spreadsheet treated as a quantity, with all of its digits: `612345678`, `612345678.0`,
 * `6,12345678E+08`.
 */
function digitsOf(cell: string): string {
  const [, whole] = /^(\d+)[.,]0$/.exec(cell) ?? []
  if (whole !== undefined) return whole
  const [, first = '', decimals = '', exponent] = /^(\d)[.,](\d+)E\+?(\d+)$/i.exec(cell) ?? []
  return decimals.length === Number(exponent) ? first + decimals : cell
}

/** A telephone number with the zero, or the plus, that a spreadsheet dropped. Anything else is unchanged. */
export function writtenTelephone(cell: string): string {
  const text = digitsOf(cell.trim())
  if (!/^[1-9][\d\s.-]*$/.test(text)) return text
  const number = dialled(text)
  if (number === null) return text
  return text.replaceAll(/\D/g, '').length === 9 ? number : (e164(text) ?? text)
}

/** An id or a number of another system, without the spaces between thousands: `1 024`. */
export const writtenId = (cell: string): string =>
  /^[1-9]\d{0,2}(?:\s\d{3})+$/.test(cell.trim()) ? cell.replaceAll(/\s/g, '') : cell
