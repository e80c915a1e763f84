import type { BusinessCalendar } from '../time/time.js'
import { fold } from '../values/folding.js'
import { dialled, e164 } from '../values/telephone.js'
import {
  type Priorite,
  type RdvType,
  rdvTypes,
  type Statut,
  type TypeProbleme,
  typesProbleme,
} from '../values/vocabulary.js'

/** Values from the spellings of people and other systems in the cells of a table; null: no such value. */

const french = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:(?:[ T]|\s*à\s*|\s+)(\d{1,2})[:hH](\d{2})?(?::(\d{2}))?)?$/
const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?)?$/
const exact = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/

/** A date without a time, or with the midnight that systems write instead of one. */
export const isDateAlone = (text: string): boolean => {
  const [, , , , ...time] = french.exec(text) ?? iso.exec(text) ?? ['', '', '', '', '1']
  return time.every((part) => Number(part ?? 0) === 0)
}

/**
 * The instant of a date: `03/04/2024` (the third of April), `03/04/2024 14:30`, `2024-04-03`, `2024-04-03 14:30:00`, by
 * the wall clock of the business, or an ISO 8601 instant with its offset.
 * @param beginning of a date alone, in minutes after midnight
 */
export function writtenInstant(text: string, calendar: BusinessCalendar, beginning = 0): string | null {
  if (exact.test(text)) {
    const ms = Date.parse(text)
    return Number.isNaN(ms) ? null : new Date(ms).toISOString()
  }
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

function isDay(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}

const plain = (text: string) =>
  fold(text)
    .trim()
    .replaceAll(/[\s_-]+/g, ' ')

const statutsWritten: Readonly<Record<Statut, readonly string[]>> = {
  ouvert: [
    'ouvert',
    'ouverte',
    'nouveau',
    'nouvelle',
    'non lu',
    'lu',
    'a traiter',
    'open',
    'new',
    'not read',
    'read',
    'assigned',
    'assigne',
    '0',
    '1',
    '2',
  ],
  en_cours: [
    'en cours',
    'en attente',
    'attente',
    'in progress',
    'pending',
    'waiting',
    'needs more information',
    "necessite plus d'informations",
    '3',
    '5',
    '7',
  ],
  clos: [
    'clos',
    'close',
    'cloture',
    'cloturee',
    'ferme',
    'fermee',
    'closed',
    'resolu',
    'resolue',
    'resolved',
    'termine',
    'terminee',
    'annule',
    'annulee',
    'abandonne',
    'abandonnee',
    'canceled',
    'cancelled',
    'deleted',
    '8',
    '9',
  ],
}
const prioritesWritten: Readonly<Record<Priorite, readonly string[]>> = {
  basse: ['basse', 'bas', 'faible', 'low', 'mineure'],
  normale: ['normale', 'normal', 'moyenne', 'medium', 'standard'],
  haute: ['haute', 'haut', 'elevee', 'eleve', 'high', 'importante', 'important', 'majeure'],
  urgente: ['urgente', 'urgent', 'critique', 'bloquant', 'bloquante', 'blocking', 'critical'],
}

function meant<Word extends string>(words: Readonly<Record<Word, readonly string[]>>, text: string): Word | null {
  const found = (Object.keys(words) as Word[]).find((word) => words[word].includes(plain(text)))
  return found ?? null
}

/** Also the spellings of Dolibarr's tickets, by word or number. */
export const writtenStatut = (text: string): Statut | null => meant(statutsWritten, text)
export const writtenPriorite = (text: string): Priorite | null => meant(prioritesWritten, text)
export const writtenTypeProbleme = (text: string): TypeProbleme | null =>
  typesProbleme.find((type) => plain(type) === plain(text)) ?? null
export const writtenRdvType = (text: string): RdvType | null =>
  rdvTypes.find((type) => plain(type) === plain(text)) ?? null

/** Between addresses in one cell. */
const betweenAddresses = /[;,|/\r\n\t]/

/** An address out of `Claire Durand <claire@x.example>` or `mailto:claire@x.example`. */
const addressIn = (text: string): string => {
  const [, address = text] = /<([^<>]*)>/.exec(text) ?? []
  return address.trim().replace(/^mailto:\s*/i, '')
}

const countAt = (text: string) => text.split('@').length - 1

/** The addresses of a cell, of which the first is the main one; a cell without any is one that is none. */
export function writtenEmails(cell: string): readonly [string, ...string[]] {
  const words = (part: string) => (countAt(part) > 1 ? part.split(/\s+/) : [part])
  const parts = countAt(cell) > 1 ? cell.split(betweenAddresses).flatMap(words) : [cell]
  const found = parts.length === 1 ? parts : parts.filter((part) => part.includes('@'))
  const [first = '', ...others] = new Set(found.map(addressIn))
  return [first, ...others]
}

/** A number that a spreadsheet took for a quantity, with all of its digits: `612345678`, `612345678.0`, `6,12345678E+08`. */
function digitsOf(cell: string): string {
  const [, whole] = /^(\d+)[.,]0$/.exec(cell) ?? []
  if (whole !== undefined) return whole
  const [, first = '', decimals = '', exponent] = /^(\d)[.,](\d+)E\+?(\d+)$/i.exec(cell) ?? []
  return decimals.length === Number(exponent) ? first + decimals : cell
}

/** A telephone with the zero, or the plus, that a spreadsheet dropped. What is no such number stays as it is. */
export function writtenTelephone(cell: string): string {
  const text = digitsOf(cell.trim())
  if (!/^[1-9][\d\s.-]*$/.test(text)) return text
  const number = dialled(text)
  if (number === null) return text
  return text.replaceAll(/\D/g, '').length === 9 ? number : (e164(text) ?? text)
}
