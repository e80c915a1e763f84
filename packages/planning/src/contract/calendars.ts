import type { Storage } from '@sav/core/ports'
import { instantAfter as instant, type Suite, twoOwners } from '@sav/storage-contract'
import { type CalendarAddress, type CalendarOwner, calendarStore } from '../calendars/calendar-store.js'

const hashOf = (digit: string) => digit.repeat(64)
const ofAccount: CalendarOwner = { type: 'compte', id: null }
const ofKey: CalendarOwner = { type: 'cle', id: 'key_1' }
const ofPerson: CalendarOwner = { type: 'utilisateur', id: 'usr_1' }

async function openAddresses(storage: Storage) {
  const { ours } = await twoOwners(storage)
  const put = (...addresses: readonly CalendarAddress[]) =>
    storage.transaction(async (tx) => {
      for (const address of addresses) await tx.of(calendarStore).put(address)
    })
  const address = (digit: string, fields: Partial<CalendarAddress> = {}): CalendarAddress => ({
    account_id: 'ours',
    poseur_id: ours.poseur_id,
    proprietaire: ofKey,
    hash: hashOf(digit),
    date_creation: instant(),
    ...fields,
  })
  return { put, address, calendars: storage.reads.of(calendarStore) }
}

export function calendarContract({ describe, it, expect }: Suite): void {
  describe('addresses of calendars', () => {
    it('are found by their hash, and are listed by account', async (storage) => {
      const { put, address, calendars } = await openAddresses(storage)
      const whole = address('a', { poseur_id: null, proprietaire: ofAccount })
      const one = address('b')
      const foreign = address('c', { account_id: 'theirs', poseur_id: null, proprietaire: ofPerson })
      expect(await calendars.list('ours')).toEqual([])
      await put(one, whole, foreign)
      for (const each of [whole, one, foreign]) expect(await calendars.findByHash(each.hash)).toEqual(each)
      expect(await calendars.findByHash(hashOf('d'))).toBeNull()
      expect(await calendars.list('ours')).toEqual([whole, one])
      expect(await calendars.list('theirs')).toEqual([foreign])
    })

    it('are replaced only by their owner’s next address of the same calendar', async (storage) => {
      const { put, address, calendars } = await openAddresses(storage)
      const others = [
        address('b', { poseur_id: null }),
        address('c', { proprietaire: ofPerson }),
        address('d', { proprietaire: ofAccount }),
      ]
      await put(address('a'), ...others)
      const renewed = address('e', { date_creation: instant(1000) })
      await put(renewed)
      expect(await calendars.findByHash(hashOf('a'))).toBeNull()
      for (const each of [renewed, ...others]) expect(await calendars.findByHash(each.hash)).toEqual(each)
    })

    it('belonging to the account are replaced too, so that there is one for each calendar', async (storage) => {
      const { put, address, calendars } = await openAddresses(storage)
      await put(address('a', { proprietaire: ofAccount }))
      const renewed = address('b', { proprietaire: ofAccount })
      await put(renewed)
      expect(await calendars.list('ours')).toEqual([renewed])
    })

    it('of one owner can all be ended at once', async (storage) => {
      const { put, address, calendars } = await openAddresses(storage)
      const others = [
        address('c', { proprietaire: ofPerson }),
        address('d', { proprietaire: ofAccount }),
        address('e', { account_id: 'theirs', poseur_id: null }),
      ]
      await put(address('a'), address('b', { poseur_id: null }), ...others)
      await storage.transaction((tx) => tx.of(calendarStore).end('ours', 'key_1'))
      for (const ended of ['a', 'b']) expect(await calendars.findByHash(hashOf(ended))).toBeNull()
      for (const each of others) expect(await calendars.findByHash(each.hash)).toEqual(each)
    })
  })
}
