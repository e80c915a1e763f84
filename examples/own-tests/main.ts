import type { Service } from '@sav/core'

/** Calls `bill` for every closed case. */
export function billClosedCases(sav: Service, bill: (reference: string) => void): void {
  sav.on('till', ['sav.closed'], ({ data }) => bill(data.reference))
}
