import type { Service } from '@sav/core'

/** Tells the till of every case that was closed. */
export function billClosedCases(sav: Service, bill: (reference: string) => void): void {
  sav.on('till', ['sav.closed'], ({ data }) => bill(data.reference))
}
