import type { Slot } from '@sav/core/internal'

/** What could be booked in place of a time that is taken, one line each. */
export function freeInstead(alternatives: readonly Pick<Slot, 'debut' | 'fin' | 'poseur'>[]): string[] {
  return alternatives.map(({ debut, fin, poseur }) => `Free instead: ${debut} to ${fin}, ${poseur.nom} (${poseur.id}).`)
}
