import { words } from '../words/words.js'

interface FailedAttempt {
  /** HTTP status; null: there was no answer. */
  readonly statut: number | null
  readonly erreur: string
}

/** What to do about a failed attempt, if that is known. */
export function hintFor({ statut, erreur }: FailedAttempt): string | null {
  const t = words.value.deliveries.hints
  if (statut === 401 || statut === 403) return t.unauthorized
  if (statut === 404 || statut === 405) return t.missing
  if (statut !== null && statut >= 300 && statut < 400) return t.redirect
  if (statut !== null && statut >= 500) return t.broken
  if (/refused|resolve the host/i.test(erreur)) return t.refused
  if (/certificate|TLS|SSL/i.test(erreur)) return t.tls
  return /time|answer/i.test(erreur) ? t.timeout : null
}

/** Why a letter has not left, by a sign in what was recorded. */
const letterSigns = [
  ['noEmail', /no e-mail address on file/],
  ['noTelephone', /no telephone number on file/],
  ['noWhatsApp', /not agreed to WhatsApp/],
  ['erased', /was erased/],
] as const

/** The same in a few words, for a list; what is not known stays as it was recorded. */
export function plainError({ statut, erreur }: FailedAttempt): string {
  const t = words.value.deliveries.plain
  if (statut !== null) return t.answered(statut)
  const sign = letterSigns.find(([, pattern]) => pattern.test(erreur))
  if (sign) return words.value.deliveries.letters[sign[0]]
  if (/refused|resolve the host/i.test(erreur)) return t.refused
  if (/certificate|TLS|SSL/i.test(erreur)) return t.tls
  return /time/i.test(erreur) ? t.timeout : erreur
}
