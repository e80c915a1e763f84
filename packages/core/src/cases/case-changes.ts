import type { Actor } from '../access/actor.js'
import { emit } from '../delivery/outbox.js'
import { found as foundOf } from '../errors.js'
import type { Transaction } from '../storage.js'
import type { NewId } from '../values/ids.js'
import type { Random } from '../values/random.js'
import type { NewIntervention, SavCase } from './case.js'
import { caseEventData } from './case-events.js'
import { historyEntry, recordChange } from './history.js'
import type { CaseUpdate } from './inputs.js'
import { decideUpdate, eventsOf } from './updating.js'

interface CaseChange {
  readonly actor: Actor
  /** The case that `lock` returned. */
  readonly found: SavCase
  readonly changes: CaseUpdate
  /** Instant of the change. */
  readonly at: string
}

/**
 * Changes fields of a case, adds the history lines, and emits an event of each kind that applies. Resolves to the
 * changed case. Writes nothing if nothing changes.
 * @throws ConflictError when the case's status forbids the change
 */
export async function changeCase(
  tx: Transaction,
  { actor, found, changes: input, at }: CaseChange,
  { newId, random }: { readonly newId: NewId; readonly random: Random },
): Promise<SavCase> {
  const { account_id, id } = found
  const changes = decideUpdate(found, input)
  if (changes.length === 0) return found
  const lines = changes.map((change) => historyEntry(actor, at, 'modification', { change }))
  const isNoted = changes.some(({ champ }) => champ === 'notes_internes')
  const unsealed = isNoted ? { sel_notes: null } : {}
  await recordChange(tx, random, found, { ...input, ...unsealed, date_modification: at, lines })
  const updated = foundOf(await tx.cases.lock(account_id, id), 'case', id)
  for (const [event, itsChanges] of eventsOf(changes))
    await emit(tx, newId, { account_id, event, at, data: caseEventData(updated, itsChanges) })
  return updated
}

/** Adds an intervention to a case, closed or not, and a history line. Resolves to the intervention's id. */
export async function addIntervention(
  tx: Transaction,
  { actor, found, intervention, at }: Omit<CaseChange, 'changes'> & { readonly intervention: NewIntervention },
  random: Random,
): Promise<number> {
  const id = await tx.cases.addIntervention(found.account_id, found.id, intervention)
  const change = { champ: 'intervention', ancien: null, nouveau: id }
  const line = historyEntry(actor, at, 'intervention', { change, commentaire: intervention.compte_rendu })
  const lines = [{ ...line, covers: { ...intervention, id } }]
  await recordChange(tx, random, found, { date_modification: at, lines })
  return id
}
