import { words } from '../words/words.js'

export interface FailedAttempt {
  /** HTTP status; null: there was no answer. */
  readonly statut: number | null
  /** The code of the failure; null: none is known. */
  readonly code: string | null
  readonly erreur: string
}

/** What to do about a failed attempt, if that is known. */
export function hintFor({ statut, code }: FailedAttempt): string | null {
  const t = words.value.deliveries.hints
  if (statut === 401 || statut === 403) return t.unauthorized
  if (statut === 404 || statut === 405) return t.missing
  if (statut !== null && statut >= 300 && statut < 400) return t.redirect
  if (statut !== null && statut >= 500) return t.broken
  if (code === 'connection_refused' || code === 'name_not_found') return t.refused
  if (code?.startsWith('tls_')) return t.tls
  return code === 'timeout' ? t.timeout : null
}

/** A failed attempt in a few words, for a list. For a code of a newer service, these are the words of the service. */
export function plainError({ statut, code, erreur }: FailedAttempt): string {
  const t = words.value.deliveries
  const failures: Readonly<Record<string, string>> = t.failures
  const known = code === null ? undefined : failures[code]
  return known ?? (statut === null ? erreur : t.answered(statut))
}
