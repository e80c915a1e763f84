import type { AuditedCall } from '../api/client.js'
import { acts as en } from '../words/en/acts.js'
import { acts as fr } from '../words/fr/acts.js'
import { language, words } from '../words/words.js'

const enters = /^\/app\/session\/(invitation|passkey\/verify|oidc\/choix|oidc\/retour)$/

/** What a call did, in words; null: it only read, or is none of this version's. */
export function actOf({ method, endpoint }: Pick<AuditedCall, 'method' | 'endpoint'>): string | null {
  if (enters.test(endpoint)) return words.value.journal.signedIn
  const all: Readonly<Record<string, string>> = { fr, en }[language.value]
  return all[`${method} ${endpoint.replace(/^\/api(?=\/v1\/planning)/, '')}`] ?? null
}
