import type { CalendarAddress, CalendarWrites } from '../../planning/calendar-store.js'
import { keyOf, type Tables } from './tables.js'

export function memoryCalendars(tables: Tables): CalendarWrites {
  const addresses = tables.own<string, CalendarAddress>('calendriers')
  const keyOfAddress = ({ account_id, poseur_id, proprietaire }: CalendarAddress) =>
    keyOf(account_id, poseur_id ?? 0, proprietaire.id ?? '')
  return {
    findByHash: async (hash) => addresses.where((address) => address.hash === hash)[0] ?? null,
    list: async (account_id) =>
      addresses
        .where((address) => address.account_id === account_id)
        .toSorted((a, b) => (a.poseur_id ?? 0) - (b.poseur_id ?? 0)),
    async put(address) {
      addresses.put(keyOfAddress(address), address)
    },
    async end(account_id, id) {
      const ended = addresses.where((address) => address.account_id === account_id && address.proprietaire.id === id)
      for (const address of ended) addresses.remove(keyOfAddress(address))
    },
  }
}
