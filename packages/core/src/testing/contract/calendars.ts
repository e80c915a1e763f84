import type { CalendarAddress } from '../../planning/calendar-store.js'
import { instant, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

const hashOf = (digit: string) => digit.repeat(64)

export function calendarContract({ describe, it, expect }: Suite): void {
  describe('addresses of calendars', () => {
    it('are found by their hash, and by whose they are', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const { calendars } = storage.reads
      const date_creation = instant()
      const addresses: CalendarAddress[] = [
        { account_id: 'ours', poseur_id: ours.poseur_id, hash: hashOf('a'), date_creation },
        { account_id: 'ours', poseur_id: null, hash: hashOf('b'), date_creation },
        { account_id: 'theirs', poseur_id: null, hash: hashOf('c'), date_creation },
      ]
      expect(await calendars.find('ours', null)).toBeNull()
      for (const address of addresses) await storage.transaction((tx) => tx.calendars.put(address))
      for (const address of addresses) {
        expect(await calendars.findByHash(address.hash)).toEqual(address)
        expect(await calendars.find(address.account_id, address.poseur_id)).toEqual(address)
      }
      expect(await calendars.findByHash(hashOf('d'))).toBeNull()
      expect(await calendars.find('theirs', ours.poseur_id)).toBeNull()
      expect(await calendars.find('theirs', theirs.poseur_id)).toBeNull()
    })

    it('end when the same calendar gets another one, and no other does', async (storage) => {
      const { ours } = await twoOwners(storage)
      const own = { account_id: 'ours', poseur_id: ours.poseur_id, hash: hashOf('a'), date_creation: instant() }
      const whole = { ...own, poseur_id: null, hash: hashOf('b') }
      for (const address of [own, whole]) await storage.transaction((tx) => tx.calendars.put(address))
      const renewed = { ...own, hash: hashOf('e'), date_creation: instant(1000) }
      await storage.transaction((tx) => tx.calendars.put(renewed))
      const { calendars } = storage.reads
      expect(await calendars.findByHash(own.hash)).toBeNull()
      expect(await calendars.findByHash(renewed.hash)).toEqual(renewed)
      expect(await calendars.find('ours', ours.poseur_id)).toEqual(renewed)
      expect(await calendars.findByHash(whole.hash)).toEqual(whole)
    })
  })
}
