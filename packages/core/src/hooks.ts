import type { Permission } from './access/permissions.js'
import type { SavCase } from './cases/case.js'
import type { VisitEnd } from './cases/case-writes.js'
import type { OutsideErasure } from './cases/erasure.js'
import type { Poseur } from './directory/directory.js'
import { fieldProblem, ValidationError } from './errors.js'
import type { Reads, Transaction } from './storage.js'

/** The current name of an audit target, by its id; null if it no longer exists. */
export type TargetName = (reads: Reads, account_id: string, id: string) => Promise<string | null>

/** A user. */
export interface KnownPerson {
  readonly account_id: string
  readonly id: string
  /** Empty while the user is disabled. */
  readonly permissions: readonly Permission[]
}

/** What a feature does in the transactions of other writes. */
export interface FeatureHooks {
  /** Erases its data about a client. */
  readonly erasesClient?: OutsideErasure
  /** Ends the visit that the close of a case names with `rdv_id`. @throws ValidationError, ConflictError */
  readonly endsVisit?: (tx: Transaction, end: VisitEnd) => Promise<void>
  /** The case of a visit; null if there is no such visit, or it belongs to no case. */
  readonly caseOfVisit?: (tx: Transaction, account_id: string, rdv_id: number) => Promise<number | null>
  /** Called when a case is closed. */
  readonly caseCloses?: (tx: Transaction, closed: Pick<SavCase, 'account_id' | 'id'>, at: string) => Promise<void>
  /** Called before an installer becomes inactive. @throws ConflictError while the installer is needed */
  readonly poseurLeaves?: (tx: Transaction, account_id: string, poseur: Poseur, at: string) => Promise<void>
  /** Finds one of its users; null if there is none. */
  readonly findPerson?: (reads: Reads, account_id: string, id: string) => Promise<KnownPerson | null>
  /** Called after a user changes. Revokes what the user may no longer have, such as a calendar link. */
  readonly personChanges?: (tx: Transaction, person: KnownPerson) => Promise<void>
  /** How to name its audit targets, by their kinds. */
  readonly targetNames?: Readonly<Record<string, TargetName>>
}

/** The hooks of all features together, for the core's writes. */
export type Hooks = Required<FeatureHooks>

/** @param features in the order in which their hooks run */
export function hooksOf(features: readonly FeatureHooks[]): Hooks {
  return {
    erasesClient: {
      async lock(...of) {
        for (const { erasesClient } of features) await erasesClient?.lock(...of)
      },
      async erase(...of) {
        for (const { erasesClient } of features) await erasesClient?.erase(...of)
      },
    },
    async endsVisit(tx, end) {
      const ends = features.find(({ endsVisit }) => endsVisit)?.endsVisit
      if (ends === undefined) throw otherVisit(end.rdv_id)
      await ends(tx, end)
    },
    async caseOfVisit(tx, account_id, rdv_id) {
      for (const { caseOfVisit } of features) {
        const found = await caseOfVisit?.(tx, account_id, rdv_id)
        if (found) return found
      }
      return null
    },
    async caseCloses(...of) {
      for (const { caseCloses } of features) await caseCloses?.(...of)
    },
    async poseurLeaves(...of) {
      for (const { poseurLeaves } of features) await poseurLeaves?.(...of)
    },
    async findPerson(...of) {
      for (const { findPerson } of features) {
        const found = await findPerson?.(...of)
        if (found) return found
      }
      return null
    },
    async personChanges(...of) {
      for (const { personChanges } of features) await personChanges?.(...of)
    },
    targetNames: Object.assign({}, ...features.map(({ targetNames }) => targetNames)),
  }
}

/** The refusal of a visit that belongs to another case. */
export const otherVisit = (rdv_id: number) =>
  new ValidationError([fieldProblem('rdv_id', 'rdv_of_another_case', { id: rdv_id })])
