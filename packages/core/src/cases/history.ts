import type { Actor } from '../access/actor.js'
import type { Statut } from '../vocabulary.js'
import type { FieldValue, HistoryKind, NewHistoryEntry } from './case.js'

/** A field's change, as events and history tell it. */
export interface Change {
  readonly champ: string
  readonly ancien: FieldValue
  readonly nouveau: FieldValue
}

export function statutChange(ancien: Statut, nouveau: Statut): Change {
  return { champ: 'statut', ancien, nouveau }
}

export function historyEntry(
  actor: Actor,
  date: string,
  type: HistoryKind,
  { change, commentaire = null }: { readonly change?: Change; readonly commentaire?: string | null } = {},
): NewHistoryEntry {
  return {
    date,
    type,
    acteur: { type: actor.type, id: actor.id, nom: actor.nom },
    champ: change?.champ ?? null,
    ancienne_valeur: change?.ancien ?? null,
    nouvelle_valeur: change?.nouveau ?? null,
    commentaire,
  }
}
