import { issue } from '../refusals/reason.js'
import { foundIn, line } from './validation.js'

/**
 * Overseas territories whose numbers also have ten digits and begin with a zero, by the beginning of their numbers
 * (ARCEP's numbering plan).
 */
const overseas: readonly { readonly code: string; readonly begins: RegExp }[] = [
  // Guadeloupe, Saint-Martin and Saint-Barthélemy; Guyane; Martinique; La Réunion and Mayotte; Saint-Pierre-et-Miquelon.
  { code: '590', begins: /^0(?:590|69[01]|7090)/ },
  { code: '594', begins: /^0(?:594|694|7093[0-4])/ },
  { code: '596', begins: /^0(?:596|69[67]|7091)/ },
  { code: '262', begins: /^0(?:26[23]|69[23]|7092|269|639|7093[5-9])/ },
  { code: '508', begins: /^0(?:508|708[45])/ },
]

/** For other numbers: the digits that may follow the country code. For most countries only E.164's bounds are known. */
const lengths: readonly (readonly [code: string, rest: RegExp])[] = [
  ['33', /^$/],
  ['262', /^[89]\d{8}$/],
  ['590', /^[89]\d{8}$/],
  ['594', /^[89]\d{8}$/],
  ['596', /^[89]\d{8}$/],
  ['508', /^8\d{8}$/],
  // Wallis-et-Futuna, Nouvelle-Calédonie, Polynésie française.
  ['681', /^(?:\d{6}|\d{9})$/],
  ['687', /^\d{6}$/],
  ['689', /^(?:\d{6}|\d{8,9})$/],
  ['1', /^[2-9]\d{9}$/],
]

/** What people write between digits. */
const between = /[\s.\-‐-―/()\p{Cf}]/gu

const codeOf = (dialled: string): string => overseas.find(({ begins }) => begins.test(dialled))?.code ?? '33'

/**
 * A number with its zero, as dialled in France. After 508 (Saint-Pierre-et-Miquelon) six digits may follow:
 * `0508412345`.
 */
function withZero(code: string, rest: string): string {
  return code === '508' && /^(?!708)[2-9]\d{0,5}$/.test(rest) ? `0508${rest}` : `0${rest}`
}

/**
 * A number as dialled in France, only digits, however it was written: `0692123456`; for another country with its code
 * in front: `32470123456`. Null for a text that cannot be a number.
 */
export function dialled(text: string): string | null {
  const [, abroad, digits = ''] = /^(\+|00)?(\d+)$/.exec(text.replace(between, '')) ?? []
  if (abroad === undefined) {
    if (/^0[1-9]\d{8}$/.test(digits)) return digits
    // Spreadsheets drop the leading zero. 687 and 681 are excluded, because they are also country codes.
    if (/^(?!68[17])[1-9]\d{8}$/.test(digits)) return `0${digits}`
    return /^(?:33|262|59[046])[1-9]\d{8}$/.test(digits) ? dialled(`+${digits}`) : null
  }
  const [, code = '', rest = ''] = /^(33|262|59[046]|508)0?([1-9]\d*)$/.exec(digits) ?? []
  const number = withZero(code, rest)
  if (/^0[1-9]\d{8}$/.test(number) && (code === '33' || codeOf(number) === code)) return number
  const known = lengths.find(([each]) => digits.startsWith(each))
  if (known !== undefined) return known[1].test(digits.slice(known[0].length)) ? digits : null
  return /^[1-9]\d{6,14}$/.test(digits) ? digits : null
}

/** The number in ITU-T E.164 form, `+262692123456`; null for a text that cannot be a number. */
export function e164(text: string): string | null {
  const number = dialled(text)
  if (number === null || !number.startsWith('0')) return number && `+${number}`
  const code = codeOf(number)
  return `+${code}${number.startsWith('0508') ? number.slice(4) : number.slice(1)}`
}

/** The beginning of a number, possibly incomplete, in the form that `dialled` returns. */
export function dialledBeginning(text: string): string {
  const [, abroad, digits = ''] = /^(\+|00)?(\d*)$/.exec(text.replace(between, '')) ?? []
  if (abroad === undefined) return digits
  const [, code, rest = ''] = /^(33|262|59[046]|508)0?([1-9]\d*)$/.exec(digits) ?? []
  return code === undefined ? digits : withZero(code, rest)
}

const refused = {
  error: ({ input }: { readonly input?: unknown }) => issue('telephone_impossible', { found: foundIn(input) }),
}

/** A number that can be dialled, kept as written. */
export const telephone = () => line({ min: 1, max: 40 }).refine((text) => e164(text) !== null, refused)

const isShort = (text: string) => /^(?:1\d{1,5}|3\d{3})$/.test(text.replace(between, ''))

/** The number of a company: short numbers such as 3639 are valid too. */
export const companyTelephone = () =>
  line({ min: 1, max: 40 }).refine((text) => isShort(text) || e164(text) !== null, refused)
