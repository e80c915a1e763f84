import type { CalendarAddress, CalendarWrites } from '../../planning/calendar-store.js'
import { keyOf, type Tables } from './tables.js'

export function memoryCalendars(tables: Tables): CalendarWrites {
  const addresses = tables.own<string, CalendarAddress>('calendriers')
  return {
    find: async (account_id, poseur_id) => addresses.get(keyOf(account_id, poseur_id ?? 0)) ?? null,
    findByHash: async (hash) => addresses.where((address) => address.hash === hash)[0] ?? null,
    async put(address) {
      addresses.put(keyOf(address.account_id, address.poseur_id ?? 0), address)
    },
  }
}
