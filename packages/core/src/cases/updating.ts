import type { EventKind } from '@sav/webhook-verify'
import { conflict } from '../errors.js'
import type { FieldValue, SavCase } from './case.js'
import { caseFields } from './case-fields.js'
import type { CaseUpdate } from './inputs.js'

const updatable = ['statut', 'poseur_id', ...caseFields] as const
type UpdatableField = (typeof updatable)[number]

/** A field that really changed. */
export interface FieldChange {
  readonly champ: UpdatableField
  readonly ancien: FieldValue
  readonly nouveau: FieldValue
}

/** The fields of a case on which the decision depends. */
type UpdatedCase = Pick<SavCase, Exclude<UpdatableField, 'poseur_id'> | 'poseur_assigne' | 'reference'>

/**
 * The fields of `input` that differ from the case.
 * @throws ConflictError when the case's status forbids a change
 */
export function decideUpdate(found: UpdatedCase, input: CaseUpdate): FieldChange[] {
  const current: Record<UpdatableField, FieldValue> = { ...found, poseur_id: found.poseur_assigne?.id ?? null }
  const changes = updatable.flatMap((champ) => {
    const nouveau = input[champ]
    return nouveau === undefined || nouveau === current[champ] ? [] : [{ champ, ancien: current[champ], nouveau }]
  })

  const frozen = changes.filter(({ champ }) => champ !== 'notes_internes').map(({ champ }) => champ)
  if (found.statut === 'clos' && frozen.length > 0)
    throw conflict('case_closed', { reference: found.reference, fields: frozen.join(', ') })
  if (changes.some(({ nouveau }) => nouveau === 'clos'))
    throw conflict('case_closes_by_closing', { reference: found.reference })
  return changes
}

type UpdateKind = Extract<EventKind, 'sav.status_changed' | 'sav.assigned' | 'sav.updated'>

const kindOf = (champ: UpdatableField): UpdateKind => {
  if (champ === 'statut') return 'sav.status_changed'
  return champ === 'poseur_id' ? 'sav.assigned' : 'sav.updated'
}

/** The kinds of events that these changes emit, each with the changes that its event names. */
export function eventsOf(changes: readonly FieldChange[]): Map<UpdateKind, FieldChange[]> {
  return Map.groupBy(changes, ({ champ }) => kindOf(champ))
}
