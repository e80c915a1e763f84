import { knownName, type LetterOf } from '@sav/core/adapter'
import type { ReportContent } from '@sav/core/ports'

/** A no-break space. */
export const nbsp = '\u00a0'

/** Replaces ordinary spaces by no-break spaces where French typography requires it, and changes nothing else. */
export const unbreakable = (text: string): string => text.replace(/(?<=«) | (?=[»:;!?%€])/g, nbsp)

/** The replacements of `typeset`, in the order in which they are made. */
const typography: readonly (readonly [RegExp, string])[] = [
  [/(?<=\p{L})'(?=\p{L})/gu, '’'],
  [/(?<![\p{L}\p{N}])"(?=\S)([^"\n]*[^"\s])"(?![\p{L}\p{N}])/gu, `«${nbsp}$1${nbsp}»`],
  [/«[ \u00a0\u202f]*/g, `«${nbsp}`],
  [/[ \u00a0\u202f]{0,9}»/g, `${nbsp}»`],
  [/(?<!\.)\.{3}(?!\.)/g, '…'],
  // Punctuation counts only before a space or the end, not within a time, an address or an emoticon.
  [/(?<=[\p{L}\p{N}»)%€°…])[ \u00a0\u202f]?([!?]+)(?=[\s»)]|$)/gu, `${nbsp}$1`],
  [/(?<=[\p{L}\p{N}»)%€°…])[ \u00a0\u202f]?([;:])(?=\s|$)/gu, `${nbsp}$1`],
  [/(?<=\d) (?=(?:[cdkm]?m[²³23]?|k?g|[cm]?[lL]|h|min|s|€|%|°C?|k?[WV]h?|A|bars?)(?![\p{L}\p{N}]))/gu, nbsp],
  [/(?<=\bn[°º]) (?=\d)/gi, nbsp],
  [/(?<=^|\s)-(?= )/gm, '–'],
]

/**
 * Typed text in French typography: quotation marks, apostrophes, ellipses, and the spaces around them. Only for
 * display; web and e-mail addresses are unchanged.
 */
export const typeset = (text: string): string =>
  text
    .split(/(https?:\/\/\S+|[^\s@]{1,64}@\S+)/)
    .map((part, index) =>
      index % 2 === 1 ? part : typography.reduce((set, [found, by]) => set.replace(found, by), part),
    )
    .join('')

export const problemNames: Readonly<Record<ReportContent['type_probleme'], string>> = {
  quincaillerie: 'Quincaillerie',
  electromenager: 'Électroménager',
  plan_travail: 'Plan de travail',
  facade: 'Façade',
  reglage: 'Réglage',
  autre: 'Autre',
}

/** The title of the report. Without the customer's signature, it is not called a reception. */
export const reportTitle = (signed: boolean): string =>
  signed ? 'Procès-verbal de réception' : 'Rapport de fin d’intervention'

/** The name of an earlier report within a sentence: `le PV du 15 janvier 2026`. */
export const earlierReport = (
  { signed, date_cloture }: NonNullable<ReportContent['remplace']>,
  dates: FrenchDates,
): string => `${signed ? 'le PV' : 'le rapport'} du ${dates.day(date_cloture)}`

/** The town after the last postal code of an address, which may have several lines; null if there is none. */
export const townOf = (adresse: string): string | null =>
  [...adresse.matchAll(/(?:^|[\s,])\d{5}\s{1,9}([^\n,]{0,99}\p{L}[^\n,]*)/gu)].at(-1)?.[1]?.trim() ?? null

/** Dates as written in French, in the business time zone. */
export interface FrenchDates {
  /** `15 janvier 2026` */
  day(instant: string): string
  /** `15 janvier 2026 à 11 h 30` */
  moment(instant: string): string
  /** `jeudi` */
  weekday(instant: string): string
  /** `11 h 30` */
  time(instant: string): string
}

/** @throws RangeError for a time zone that the platform does not know */
export function frenchDates(timeZone: string): FrenchDates {
  const days = new Intl.DateTimeFormat('fr-FR', { timeZone, day: 'numeric', month: 'long', year: 'numeric' })
  const clock = new Intl.DateTimeFormat('fr-FR', { timeZone, hour: 'numeric', minute: '2-digit', hourCycle: 'h23' })
  const weekdays = new Intl.DateTimeFormat('fr-FR', { timeZone, weekday: 'long' })
  const day = (instant: string) => {
    const parts = new Map(days.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]))
    const dayOfMonth = parts.get('day') === '1' ? '1er' : parts.get('day')
    return [dayOfMonth, parts.get('month'), parts.get('year')].join(nbsp)
  }
  const time = (instant: string) => {
    const parts = new Map(clock.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]))
    return `${parts.get('hour')}${nbsp}h${nbsp}${parts.get('minute')}`
  }
  return {
    day,
    time,
    moment: (instant) => `${day(instant)} à${nbsp}${time(instant)}`,
    weekday: (instant) => weekdays.format(new Date(instant)),
  }
}

/** A French telephone number in pairs, however its digits were typed; anything else unchanged. */
export function spacedTelephone(telephone: string): string {
  const digits = telephone.replace(/[\s.-]/g, '')
  return /^0\d{9}$/.test(digits) ? digits.replaceAll(/\d\d(?=\d)/g, `$&${nbsp}`) : telephone
}

/** A SIRET in its groups; anything else unchanged. */
export function spacedSiret(siret: string): string {
  const digits = siret.replace(/\s/g, '')
  return /^\d{14}$/.test(digits)
    ? digits.replace(/^(\d{3})(\d{3})(\d{3})(\d{5})$/, `$1${nbsp}$2${nbsp}$3${nbsp}$4`)
    : siret
}

export const fullName = ({ nom, prenom }: { nom: string; prenom: string }): string => `${prenom} ${nom}`.trim()

/** The name of the company within a sentence, after `avec` or `pour`. */
export const companyWithin = (societe: Parameters<typeof knownName>[0]): string =>
  knownName(societe) ?? 'le service après-vente'

/** `start` with the name of the company, if it has one: `Logo de Ateliers Lœuvre`. */
export function ofCompany(start: string, societe: ReportContent['societe'], joint = ' de '): string {
  const name = knownName(societe)
  return name === null ? start : `${start}${joint}${name}`
}

/** How customers can reach the company, within a sentence; null if neither by telephone nor by a reply. */
export function waysToAnswer({ telephone, email, repondre_a }: LetterOf<'report'>['societe']): string | null {
  const mayAnswer = email !== null || repondre_a !== null
  if (telephone === null) return mayAnswer ? 'répondez simplement à ce message' : null
  return `appelez-nous au ${spacedTelephone(telephone)}${mayAnswer ? ', ou répondez à ce message' : ''}`
}

export const capital = (sentence: string): string => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
