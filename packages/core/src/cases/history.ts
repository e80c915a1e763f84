import type { Actor } from '../access/actor.js'
import { chained, type HistoryHead } from '../evidence/history-chain.js'
import type { Visit } from '../evidence/visit-digests.js'
import type { Transaction } from '../storage.js'
import type { Random } from '../values/random.js'
import type { HistoryKind, Statut } from '../values/vocabulary.js'
import type { FieldValue, NewHistoryEntry, SavCase } from './case.js'
import type { CaseChanges } from './case-store.js'

/** A field's change, in events and history. */
export interface Change {
  readonly champ: string
  readonly ancien: FieldValue
  readonly nouveau: FieldValue
}

/** A change; for free text, only the name of the field. */
export type NamedChange = Pick<Change, 'champ'> | Change

/** A change of status, as a history line. */
export function statutChange(ancien: Statut, nouveau: Statut): Change {
  return { champ: 'statut', ancien, nouveau }
}

/** A line of a case's history. */
export function historyEntry(
  actor: Actor,
  date: string,
  type: HistoryKind,
  { change, commentaire = null }: { readonly change?: Change; readonly commentaire?: string | null } = {},
): NewHistoryEntry {
  return {
    date,
    type,
    // Characters that stores cannot keep are replaced, so that the stored name is the hashed one.
    acteur: { type: actor.type, id: actor.id, nom: actor.nom.toWellFormed().replaceAll('\0', '\ufffd') },
    champ: change?.champ ?? null,
    ancienne_valeur: change?.ancien ?? null,
    nouvelle_valeur: change?.nouveau ?? null,
    commentaire,
  }
}

/** A change of a case, with its history lines. */
export interface RecordedChange extends Omit<CaseChanges, 'version' | 'tete_historique'> {
  readonly lines: readonly (NewHistoryEntry & { readonly covers?: Visit })[]
}

/**
 * The only way to change a case. The case gets its next version, and the history lines are added to the end of its
 * chain. `found` is what `lock` returned. Resolves to the head of the chain.
 */
export async function recordChange(
  tx: Transaction,
  random: Random,
  found: SavCase,
  { lines, ...changes }: RecordedChange,
): Promise<HistoryHead> {
  const { links, head } = chained(found, found.tete_historique, lines, random)
  await tx.cases.update(found, { ...changes, version: found.version + 1, tete_historique: head })
  await tx.cases.appendHistory(found.account_id, found.id, links)
  return head
}
