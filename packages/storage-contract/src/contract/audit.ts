import type { AuditQuery, AuditRecord, Storage } from '@sav/core/ports'
import { ended, instant, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

/** A call of `ours`. */
export function call(id: string, fields: Partial<AuditRecord> = {}): AuditRecord {
  return {
    id: `aud_${id}`,
    account_id: 'ours',
    time: instant(),
    ip: '203.0.113.9',
    method: 'GET',
    endpoint: '/api/v1/sav/{id}',
    key_id: 'key_1',
    user_id: null,
    target: null,
    status: 200,
    duration_ms: 3,
    request_id: `request-${id}`,
    calls: 1,
    ...fields,
  }
}

const add = (storage: Storage, ...calls: AuditRecord[]) => storage.transaction((tx) => tx.audit.add(calls))

const idsOf = (calls: readonly AuditRecord[]) => calls.map(({ id }) => id.slice('aud_'.length))

export function auditContract({ describe, it, expect }: Suite): void {
  describe('audit', () => {
    it('calls read back as they were added, inside the transaction and after it', async (storage) => {
      await twoOwners(storage)
      const calls = [
        call('b', { ip: '2001:db8::1', endpoint: '/é 🔧', status: 503, duration_ms: 0 }),
        call('a', { key_id: null, user_id: 'usr_1', method: 'POST', target: 'case:19', calls: 4980 }),
      ]
      await storage.transaction(async (tx) => {
        await tx.audit.add(calls)
        expect(await tx.audit.list('ours', { limit: 9 })).toEqual(calls)
      })
      expect(await storage.reads.audit.list('ours', { limit: 9 })).toEqual(calls)
    })

    it('an empty list of calls can be added, and 1,000 calls at once', async (storage) => {
      await twoOwners(storage)
      await add(storage)
      expect(await storage.reads.audit.list('ours', { limit: 9 })).toEqual([])
      await add(storage, ...Array.from({ length: 1000 }, (_, n) => call(`${n}`, { time: instant(n) })))
      expect(await storage.reads.audit.list('ours', { limit: 2000 })).toHaveLength(1000)
    })

    it('calls are listed newest first, those of the same instant by descending id', async (storage) => {
      await twoOwners(storage)
      await add(storage, call('b'), call('z', { time: instant(-1) }), call('c'), call('a', { time: instant(1) }))
      expect(idsOf(await storage.reads.audit.list('ours', { limit: 9 }))).toEqual(['a', 'c', 'b', 'z'])
    })

    it('the cursor continues after its call, also within an instant, and when the call no longer exists', async (storage) => {
      await twoOwners(storage)
      const calls = ['a', 'b', 'c', 'd', 'e'].map((id, n) => call(id, { time: instant(Math.floor(n / 2)) }))
      await add(storage, ...calls)
      const read: string[] = []
      for (let after: AuditQuery['after']; ; ) {
        const [next] = await storage.reads.audit.list('ours', { limit: 1, after })
        if (next === undefined) break
        read.push(...idsOf([next]))
        after = [next.time, next.id]
      }
      expect(read).toEqual(['e', 'd', 'c', 'b', 'a'])
      const gone = [instant(1), 'aud_cc']
      expect(idsOf(await storage.reads.audit.list('ours', { limit: 9, after: gone }))).toEqual(['c', 'b', 'a'])
    })

    it('lists are filtered by key, person, target and time, from `since` to before `before`, up to the limit', async (storage) => {
      await twoOwners(storage)
      await add(
        storage,
        call('a', { time: instant(1) }),
        call('b', { time: instant(2), key_id: 'key_2', target: 'client:13' }),
        call('c', { time: instant(3), key_id: null, user_id: 'usr_1' }),
        call('d', { time: instant(4), method: 'DELETE', target: 'client:13' }),
      )
      const list = async (query: object) => idsOf(await storage.reads.audit.list('ours', { limit: 9, ...query }))
      expect(await list({ since: instant(2) })).toEqual(['d', 'c', 'b'])
      expect(await list({ since: instant(3) })).toEqual(['d', 'c'])
      expect(await list({ since: instant(5) })).toEqual([])
      expect(await list({ before: instant(3) })).toEqual(['b', 'a'])
      expect(await list({ before: instant(1) })).toEqual([])
      expect(await list({ since: instant(2), before: instant(4), user_id: 'usr_1' })).toEqual(['c'])
      expect(await list({ before: instant(3), after: [instant(2), 'aud_b'] })).toEqual(['a'])
      expect(await list({ before: instant(2), after: [instant(4), 'aud_d'] })).toEqual(['a'])
      expect(await list({ key_id: 'key_1' })).toEqual(['d', 'a'])
      expect(await list({ key_id: 'key_1', since: instant(2) })).toEqual(['d'])
      expect(await list({ key_id: 'key_1', after: [instant(4), 'aud_d'] })).toEqual(['a'])
      expect(await list({ since: instant(2), after: [instant(4), 'aud_d'] })).toEqual(['c', 'b'])
      expect(await list({ user_id: 'usr_1' })).toEqual(['c'])
      expect(await list({ user_id: 'usr_2' })).toEqual([])
      expect(await list({ target: 'client:13' })).toEqual(['d', 'b'])
      expect(await list({ target: 'client:1' })).toEqual([])
      expect(await list({ writes: true })).toEqual(['d'])
      expect(await list({ target: 'client:13', writes: true, before: instant(4) })).toEqual([])
      expect(await list({ limit: 2 })).toEqual(['d', 'c'])
      expect(await list({ key_id: undefined, since: undefined, after: undefined, limit: 1 })).toEqual(['d'])
    })

    it('an account sees only its calls, and calls without an account are listed separately', async (storage) => {
      await twoOwners(storage)
      await add(
        storage,
        call('ours'),
        call('theirs', { account_id: 'theirs' }),
        call('stranger', { account_id: null, key_id: null, time: instant(1) }),
        call('guesser', { account_id: null, key_id: null, time: instant(2) }),
      )
      expect(idsOf(await storage.reads.audit.list('ours', { limit: 9 }))).toEqual(['ours'])
      expect(idsOf(await storage.reads.audit.list('theirs', { limit: 9, key_id: 'key_1' }))).toEqual(['theirs'])
      expect(idsOf(await storage.reads.audit.list(null, { limit: 9 }))).toEqual(['guesser', 'stranger'])
      expect(idsOf(await storage.reads.audit.list(null, { limit: 9, since: instant(2) }))).toEqual(['guesser'])
      const after = [instant(2), 'aud_guesser']
      expect(idsOf(await storage.reads.audit.list(null, { limit: 9, after }))).toEqual(['stranger'])
      expect(await storage.reads.audit.list(null, { limit: 9, key_id: 'key_1' })).toEqual([])
    })

    it('a purge deletes calls before its bound, with and without an account, up to the limit', async (storage) => {
      await twoOwners(storage)
      await add(
        storage,
        call('a', { time: instant(1) }),
        call('b', { time: instant(1), account_id: 'theirs' }),
        call('c', { time: instant(1), account_id: null, key_id: null }),
        call('d', { time: instant(2) }),
      )
      const before = instant(2)
      const purge = () => storage.transaction((tx) => tx.audit.purge(before, 2))
      expect(await storage.reads.audit.purgeable(before)).toBe(3)
      expect(await storage.reads.audit.purgeable(instant(1))).toBe(0)
      expect(await storage.transaction((tx) => tx.audit.purge(instant(1), 2))).toBe(0)
      const gone: number[] = []
      for (let round = 0; round < 3; round += 1) gone.push(await purge())
      expect(gone).toEqual([2, 1, 0])
      expect(await storage.reads.audit.purgeable(before)).toBe(0)
      expect(idsOf(await storage.reads.audit.list('ours', { limit: 9 }))).toEqual(['d'])
      for (const account_id of ['theirs', null])
        expect(await storage.reads.audit.list(account_id, { limit: 9 })).toEqual([])
    })

    it('a purge counts what is left inside its transaction, and deletes nothing if that rolls back', async (storage) => {
      await twoOwners(storage)
      await add(storage, call('a'), call('b'), call('c', { time: instant(2) }))
      await ended(
        storage.transaction(async (tx) => {
          expect(await tx.audit.purge(instant(1), 1)).toBe(1)
          expect(await tx.audit.purgeable(instant(1))).toBe(1)
          throw new Error('changed our mind')
        }),
      )
      expect(await storage.reads.audit.purgeable(instant(1))).toBe(2)
      expect(idsOf(await storage.reads.audit.list('ours', { limit: 9 }))).toEqual(['c', 'b', 'a'])
    })
  })
}
