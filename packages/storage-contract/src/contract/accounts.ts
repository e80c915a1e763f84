import type { KeyWrites } from '@sav/core/ports'
import { account, addOwner, apiKey, ended, instant, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

const day = 86_400_000

export function accountContract({ describe, it, expect }: Suite): void {
  describe('accounts', () => {
    it('an account reads back as it was added', async (storage) => {
      const added = account('atelier', {
        raison_sociale: 'Cuisines Lefèvre & Fils',
        adresse: '3 rue des Étaux\n69001 Lyon',
        siret: '12345678900011',
        email: 'contact@example.test',
        telephone: '04 78 00 00 00',
        signature_requise_depuis: instant(5),
        confirmation_rdv_depuis: instant(6),
        rappel_rdv_depuis: instant(7),
        prevenir_bureau_depuis: instant(8),
        nom_expediteur: 'Lefèvre, service après-vente',
        couleur: '#ffd400',
        repondre_a: 'reponses@example.test',
        url_publique: 'https://sav.lefevre.test',
      })
      expect(await storage.transaction((tx) => tx.accounts.add(added))).toBe(true)
      expect(await storage.reads.accounts.find('atelier')).toEqual(added)
      expect(await storage.reads.accounts.find('other')).toBeNull()
    })

    it('a taken id is refused and nothing is written', async (storage) => {
      await storage.transaction((tx) => tx.accounts.add(account('atelier')))
      const again = account('atelier', { email: 'other@example.test' })
      expect(await storage.transaction((tx) => tx.accounts.add(again))).toBe(false)
      expect(await storage.reads.accounts.find('atelier')).toEqual(account('atelier'))
    })

    it('of 10 additions of the same id at once, one succeeds', async (storage) => {
      const adding = Array.from({ length: 10 }, () => storage.transaction((tx) => tx.accounts.add(account('atelier'))))
      expect((await Promise.all(adding)).filter((added) => added)).toHaveLength(1)
      expect(await storage.reads.accounts.list()).toEqual([account('atelier')])
    })

    it('accounts are listed in the order of their ids', async (storage) => {
      expect(await storage.reads.accounts.list()).toEqual([])
      for (const id of ['b', 'ab', 'a-c', 'a']) await storage.transaction((tx) => tx.accounts.add(account(id)))
      expect((await storage.reads.accounts.list()).map(({ id }) => id)).toEqual(['a', 'a-c', 'ab', 'b'])
    })

    it('an update changes the given fields of that account only', async (storage) => {
      await twoOwners(storage)
      await storage.transaction((tx) => tx.accounts.update('ours', { siret: '1', email: 'a@example.test' }))
      await storage.transaction((tx) => tx.accounts.update('ours', { email: null, siret: undefined }))
      expect(await storage.reads.accounts.find('ours')).toEqual(account('ours', { siret: '1' }))
      expect(await storage.reads.accounts.find('theirs')).toEqual(account('theirs'))
    })
  })
}

export function keyContract({ describe, it, expect }: Suite): void {
  describe('keys', () => {
    it('a key reads back as it was added, by its hash and by its id', async (storage) => {
      await addOwner(storage, 'ours')
      const key = apiKey('ours', 'key_1', {
        permissions: ['sav:read', 'sav:write', 'admin'],
        ips: ['192.0.2.0/24', '2001:db8::/32'],
        revoked_at: instant(1),
      })
      await storage.transaction((tx) => tx.keys.add(key))
      expect(await storage.reads.keys.findByHash(key.hash)).toEqual(key)
      expect(await storage.reads.keys.find('ours', 'key_1')).toEqual(key)
      expect(await storage.reads.keys.findByHash('unknown')).toBeNull()
      expect(await storage.reads.keys.find('ours', 'key_2')).toBeNull()
    })

    it('a hash finds a key in any account, an id only in its account', async (storage) => {
      await twoOwners(storage)
      const key = apiKey('theirs', 'key_1')
      await storage.transaction((tx) => tx.keys.add(key))
      expect(await storage.reads.keys.findByHash(key.hash)).toEqual(key)
      expect(await storage.reads.keys.find('ours', 'key_1')).toBeNull()
      expect(await storage.reads.keys.list('ours')).toEqual([])
    })

    it('keys are listed newest first, including revoked ones', async (storage) => {
      await addOwner(storage, 'ours')
      const keys = [
        apiKey('ours', 'key_b', { created_at: instant(2) }),
        apiKey('ours', 'key_c', { created_at: instant(1), revoked_at: instant(9) }),
        apiKey('ours', 'key_a', { created_at: instant(3) }),
      ]
      for (const key of keys) await storage.transaction((tx) => tx.keys.add(key))
      expect((await storage.reads.keys.list('ours')).map(({ id }) => id)).toEqual(['key_a', 'key_b', 'key_c'])
    })

    it('an update replaces revocation, expiry and successor of that key only', async (storage) => {
      await addOwner(storage, 'ours')
      const [changed, kept] = [apiKey('ours', 'key_1'), apiKey('ours', 'key_2')]
      await storage.transaction((tx) => tx.keys.add(changed))
      await storage.transaction((tx) => tx.keys.add(kept))
      const fields = { revoked_at: instant(3), expires_at: instant(day), successor_id: 'key_2' }
      await storage.transaction((tx) => tx.keys.update('ours', 'key_1', fields))
      expect(await storage.reads.keys.findByHash(changed.hash)).toEqual({ ...changed, ...fields })
      expect(await storage.reads.keys.find('ours', 'key_2')).toEqual(kept)
      await storage.transaction((tx) => tx.keys.update('ours', 'key_1', { ...fields, revoked_at: null }))
      expect(await storage.reads.keys.find('ours', 'key_1')).toEqual({ ...changed, ...fields, revoked_at: null })
    })

    it('an update with the key of another account changes nothing', async (storage) => {
      await twoOwners(storage)
      const key = apiKey('theirs', 'key_1')
      await storage.transaction((tx) => tx.keys.add(key))
      const fields = { revoked_at: instant(), expires_at: instant(), successor_id: null }
      await ended(storage.transaction((tx) => tx.keys.update('ours', 'key_1', fields)))
      expect(await storage.reads.keys.find('theirs', 'key_1')).toEqual(key)
    })

    it('the last use of keys is noted, and an earlier use does not replace it', async (storage) => {
      await twoOwners(storage)
      const keys = [
        apiKey('ours', 'key_1'),
        apiKey('ours', 'key_2'),
        apiKey('theirs', 'key_3'),
        apiKey('ours', 'key_4'),
      ]
      for (const key of keys) await storage.transaction((tx) => tx.keys.add(key))
      const lastUses = () =>
        Promise.all(
          keys.map(async ({ account_id, id }) => (await storage.reads.keys.find(account_id, id))?.last_used_at),
        )
      const note = (...uses: Parameters<KeyWrites['noteUse']>[0]) => storage.transaction((tx) => tx.keys.noteUse(uses))

      await note(
        { account_id: 'ours', id: 'key_1', at: instant(5) },
        { account_id: 'ours', id: 'key_2', at: instant(6) },
        { account_id: 'theirs', id: 'key_3', at: instant(7) },
      )
      expect(await lastUses()).toEqual([instant(5), instant(6), instant(7), null])

      await note(
        { account_id: 'ours', id: 'key_1', at: instant(4) },
        { account_id: 'ours', id: 'key_2', at: instant(8) },
      )
      expect(await lastUses()).toEqual([instant(5), instant(8), instant(7), null])
      expect(await storage.reads.keys.find('ours', 'key_2')).toEqual({ ...keys[1], last_used_at: instant(8) })
      expect((await storage.reads.keys.findByHash('hash of key_1'))?.last_used_at).toBe(instant(5))
    })

    it('uses of unknown or other accounts’ keys, and an empty list of uses, change nothing', async (storage) => {
      await twoOwners(storage)
      await storage.transaction((tx) => tx.keys.add(apiKey('theirs', 'key_1')))
      await storage.transaction(async (tx) => {
        await tx.keys.noteUse([])
        await tx.keys.noteUse([
          { account_id: 'ours', id: 'key_1', at: instant(1) },
          { account_id: 'ours', id: 'key_2', at: instant(1) },
        ])
      })
      expect(await storage.reads.keys.find('theirs', 'key_1')).toEqual(apiKey('theirs', 'key_1'))
      expect(await storage.reads.keys.find('ours', 'key_1')).toBeNull()
    })

    it('uses of 1,000 keys are noted at once', async (storage) => {
      await addOwner(storage, 'ours')
      const ids = Array.from({ length: 1000 }, (_, n) => `key_${n}`)
      await storage.transaction(async (tx) => {
        for (const id of ids) await tx.keys.add(apiKey('ours', id))
      })
      const at = instant(1)
      await storage.transaction((tx) => tx.keys.noteUse(ids.map((id) => ({ account_id: 'ours', id, at }))))
      const used = (await storage.reads.keys.list('ours')).filter(({ last_used_at }) => last_used_at === at)
      expect(used).toHaveLength(1000)
    })
  })
}
