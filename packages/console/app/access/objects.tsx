import type { AuditedCall } from '../api/client.js'
import { to, withQuery } from '../session/address.js'
import { words } from '../words/words.js'

/** What a call was about: its name, and the screen that shows it (null if no screen does). */
interface Target {
  readonly name: string
  readonly href: string | null
}

/** What a call was about, by its name or else by its number; null if the call has no target. */
export function targetOf({ target, nom }: Pick<AuditedCall, 'target' | 'nom'>): Target | null {
  const [kind = '', ...rest] = target?.split(':') ?? []
  const id = rest.join(':')
  const screens: Readonly<Record<string, string>> = {
    case: to(`/dossiers/${id}`),
    client: to(`/clients/${id}`),
    poseur: to(`/poseurs/${id}`),
    rdv: withQuery('/planning', { rdv: id }),
    user: to('/reglages/utilisateurs'),
    key: to('/reglages/api/cles'),
    endpoint: to(`/reglages/api/webhooks/${id}`),
    delivery: to(`/reglages/api/webhooks/historique/${id}`),
    ...(nom && { fichiers: withQuery('/dossiers', { recherche: nom }) }),
  }
  const t = words.value.journal
  const numbered: Readonly<Record<string, (id: string) => string>> = t.objects
  if (kind === 'sign_in') return { name: refusedSignIn(id), href: null }
  const name = nom ? namedBy(kind, words.value.stored(nom)) : numbered[kind]?.(id)
  return name === undefined ? null : { name, href: screens[kind] ?? null }
}

/** Why a sign-in was refused. */
function refusedSignIn(reason: string): string {
  const reasons: Readonly<Record<string, string>> = words.value.journal.refusedSignIns
  return reasons[reason] ?? reason
}

/** A visit is named by its client, a file by its case, and a follow-up by what it is about. */
function namedBy(kind: string, nom: string): string {
  const t = words.value.journal
  if (kind === 'rdv') return t.visitOf(nom)
  return kind === 'fichiers' || kind === 'a-traiter' ? t.forWhat(nom) : nom
}
