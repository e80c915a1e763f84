import {
  account,
  addCase,
  addOwner,
  changeCase,
  closing,
  digest,
  ended,
  evidence,
  file,
  historyEntry,
  twoOwners,
} from '../samples/samples.js'
import type { Suite } from './suite.js'

const gone = '(effacé)'

export function erasureContract({ describe, it, expect }: Suite): void {
  describe('erasure', () => {
    it('replaces everything personal in a case, and leaves the rest', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const made = await addCase(storage, owner, {
        description: 'Zoé, porte bleue',
        photos: [{ url: 'https://zoe.example/1' }],
      })
      await storage.transaction((tx) =>
        tx.cases.appendHistory('ours', made.id, [
          historyEntry({ type: 'creation' }),
          historyEntry({ champ: 'notes_internes', ancienne_valeur: null, nouvelle_valeur: 'Zoé rappelle' }),
          historyEntry({
            champ: 'statut',
            ancienne_valeur: 'ouvert',
            nouvelle_valeur: 'clos',
            commentaire: 'Zoé contente',
          }),
        ]),
      )
      const closed = await changeCase(storage, made, {
        statut: 'clos',
        notes_internes: 'Zoé rappelle',
        closing: closing({ photo_avant: digest(1), signataire_nom: 'Zoé', reserves: ['Rayure'] }),
      })
      await storage.transaction((tx) => tx.cases.erase('ours', made.id, gone))

      const erased = { description: gone, notes_internes: gone, resolution: gone, signataire_nom: null }
      const without = { photos: [], photo_avant: null, reserves: [] }
      expect(await storage.reads.cases.find('ours', made.id)).toEqual({ ...closed, ...erased, ...without })
      const history = await storage.reads.cases.history('ours', made.id)
      expect(history.map((entry) => [entry.ancienne_valeur, entry.nouvelle_valeur, entry.commentaire])).toEqual([
        [null, null, null],
        [null, gone, null],
        ['ouvert', 'clos', gone],
      ])
    })

    it('leaves empty fields empty', async (storage) => {
      const made = await addCase(storage, await addOwner(storage, 'ours'))
      await storage.transaction((tx) => tx.cases.erase('ours', made.id, gone))
      expect(await storage.reads.cases.find('ours', made.id)).toEqual({ ...made, description: gone })
    })

    it('of another account’s case does nothing', async (storage) => {
      const { theirs } = await twoOwners(storage)
      const made = await addCase(storage, theirs)
      await ended(storage.transaction((tx) => tx.cases.erase('ours', made.id, gone)))
      await ended(storage.transaction((tx) => tx.files.release('ours', made.id)))
      expect(await storage.reads.cases.find('theirs', made.id)).toEqual(made)
    })

    it('finds every case of the client, by id', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const [first, second] = [await addCase(storage, ours), await addCase(storage, ours)]
      await addCase(storage, theirs)
      expect(await storage.reads.cases.ofClient('ours', ours.client_id)).toEqual([
        { id: first.id, reference: first.reference },
        { id: second.id, reference: second.reference },
      ])
      expect(await storage.reads.cases.ofClient('theirs', ours.client_id)).toEqual([])
    })

    it('deletes the files that no other case holds', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const [erased, other] = [await addCase(storage, owner), await addCase(storage, owner)]
      const [own, shared] = [file(Uint8Array.of(1)), file(Uint8Array.of(1, 2))]
      await storage.transaction(async (tx) => {
        await tx.files.put('ours', erased.id, own)
        await tx.files.put('ours', erased.id, shared)
        await tx.files.put('ours', other.id, shared)
        expect(await tx.files.latestHolder('ours', own.sha256)).toBe(erased.id)
        expect(await tx.files.latestHolder('ours', shared.sha256)).toBe(other.id)
        expect(await tx.files.latestHolder('theirs', shared.sha256)).toBeNull()
        expect(await tx.files.release('ours', erased.id)).toEqual([own.sha256])
      })
      expect(await storage.reads.files.isHeld('ours', own.sha256)).toBe(false)
      expect(await storage.reads.files.isHeld('ours', shared.sha256)).toBe(true)
      expect(await storage.reads.files.isHeld('theirs', shared.sha256)).toBe(false)
      expect(await storage.reads.files.find('ours', erased.id, own.sha256)).toBeNull()
      expect(await storage.reads.files.find('ours', erased.id, shared.sha256)).toBeNull()
      expect(await storage.reads.files.find('ours', other.id, shared.sha256)).not.toBeNull()
    })

    it('replaces a snapshot by a marker, and keeps the entry', async (storage) => {
      const made = await addCase(storage, await addOwner(storage, 'ours'))
      const entry = evidence(made, 1)
      await storage.transaction((tx) => tx.evidence.append(entry, '{"nom":"Zoé"}'))
      await ended(storage.transaction((tx) => tx.evidence.eraseSnapshot('theirs', entry.hash_dossier, '{}')))
      expect(await storage.reads.evidence.snapshot('ours', entry.hash_dossier)).toBe('{"nom":"Zoé"}')
      await storage.transaction((tx) => tx.evidence.eraseSnapshot('ours', entry.hash_dossier, '{"efface":{}}'))
      expect(await storage.reads.evidence.snapshot('ours', entry.hash_dossier)).toBe('{"efface":{}}')
      expect(await storage.reads.evidence.find('ours', 1)).toEqual(entry)
      expect(await storage.reads.evidence.head('ours')).toEqual(entry)
      expect(await storage.reads.evidence.findByHash(entry.hash_dossier)).toEqual(entry)
      expect(await storage.reads.evidence.findByHash(entry.hash_dossier.slice(0, 16))).toEqual(entry)
      expect(await storage.reads.evidence.findByHash(digest(7))).toBeNull()
      expect(await storage.reads.evidence.findByHash(`${entry.hash_dossier}0`)).toBeNull()
    })
  })

  describe('logos', () => {
    it('a logo is kept after the account has another one', async (storage) => {
      await storage.transaction(async (tx) => {
        await tx.accounts.add(account('ours'))
        await tx.accounts.add(account('theirs'))
        await tx.accounts.putLogo('ours', file(Uint8Array.of(1)))
        await tx.accounts.putLogo('ours', file(Uint8Array.of(1, 2)))
        await tx.accounts.putLogo('ours', file(Uint8Array.of(1, 2)))
        await tx.accounts.update('ours', { logo: digest(2), assureur: 'MAIF 1', mediateur: 'CM2C' })
      })
      expect(await storage.reads.accounts.find('ours')).toEqual(
        account('ours', { logo: digest(2), assureur: 'MAIF 1', mediateur: 'CM2C' }),
      )
      expect([...((await storage.reads.accounts.findLogo('ours', digest(1)))?.content ?? [])]).toEqual([1])
      expect(await storage.reads.accounts.findLogo('ours', digest(3))).toBeNull()
      expect(await storage.reads.accounts.findLogo('theirs', digest(1))).toBeNull()
    })
  })
}
