import type { Actor, FieldProblem } from '@sav/core'
import { type BusinessCalendar, type CalendarOf, everyItem } from '@sav/core/feature'
import { fold, type Poseur, type Random, type Transaction } from '@sav/core/ports'
import type { ImportType } from './import-store.js'
import type { References } from './references.js'
import type { Row } from './rows.js'

/** A row that is new or has changed; `id` is the id of an existing record. */
export interface RowChange<Type extends ImportType> {
  /** Its index among the rows of the input. */
  readonly place: number
  readonly row: Row<Type>
  readonly id: number | null
}

/** The context in which rows are written. */
export interface WriteContext {
  readonly tx: Transaction
  readonly actor: Actor
  readonly at: string
  readonly calendar: BusinessCalendar
  readonly calendarOf: CalendarOf
  readonly random: Random
  readonly references: References
}

/** The record of a row. */
export interface RowRecord {
  /** The index of the row. */
  readonly place: number
  readonly id: number
  /** Whether the row changed it; true for a new one. */
  readonly changed: boolean
  /** The differences that an import does not apply. Absent: none. */
  readonly kept?: readonly FieldProblem[]
}

/** The records of rows, and the faults of refused ones. */
export interface RowResults {
  readonly noted: readonly RowRecord[]
  /** The faults of each refused row, by the index of the row. */
  readonly refused: ReadonlyMap<number, readonly FieldProblem[]>
}

/** The non-empty fields that differ from the existing ones. */
export const differing = (before: object, after: object): string[] =>
  Object.entries(after).flatMap(([field, value]) => {
    const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
    return isEmpty || JSON.stringify(value) === JSON.stringify(Reflect.get(before, field)) ? [] : [field]
  })

type PoseurName = Pick<Poseur, 'id' | 'nom'>

/** Poseurs by their names. */
export interface PoseursByName {
  find(nom: string): PoseurName | null
  /** Finds a poseur, or adds one. */
  named(nom: string): Promise<PoseurName>
}

export async function poseursByName({
  tx,
  actor: { account_id },
}: Pick<WriteContext, 'tx' | 'actor'>): Promise<PoseursByName> {
  const known = new Map<string, PoseurName>()
  for await (const poseur of everyItem((page) => tx.directory.listPoseurs(account_id, page)))
    if (!known.has(fold(poseur.nom))) known.set(fold(poseur.nom), poseur)
  const find = (nom: string) => known.get(fold(nom)) ?? null
  return {
    find,
    async named(nom) {
      const found = find(nom)
      if (found !== null) return found
      const poseur = { nom, email: null, inactif_depuis: null, couleur: null, lieu: null, lieu_retour: null }
      const added = { id: await tx.directory.addPoseur(account_id, poseur), nom }
      known.set(fold(nom), added)
      return added
    },
  }
}
