import type { Storage } from '@sav/core/ports'
import { addRdv, newRdv } from '@sav/planning/testing'
import { addOwner, digest, instantAfter as instant, type Suite } from '@sav/storage-contract'
import type { NewFieldFact } from './fact.js'
import { fieldStore, type Upload } from './field-store.js'

const upload = (fields: Partial<Upload> = {}): Upload => ({
  account_id: 'ours',
  auteur_id: 'usr_1',
  sha256: digest(1),
  taille: 5,
  recu: 0,
  media_type: null,
  date: instant(),
  ...fields,
})

async function openFacts(storage: Storage) {
  const owner = await addOwner(storage, 'ours')
  const { id } = await addRdv(storage, newRdv(owner, 8))
  const fact = (cle: string, fields: Partial<NewFieldFact> = {}): NewFieldFact => ({
    account_id: 'ours',
    auteur_id: 'usr_1',
    cle,
    empreinte: digest(7),
    rdv_id: id,
    sav_id: null,
    client_id: owner.client_id,
    nature: 'debut',
    survenu_a: instant(-5000),
    date: instant(),
    constat: null,
    ...fields,
  })
  const add = (given: NewFieldFact) => storage.transaction((tx) => tx.of(fieldStore).addFact(given))
  return { fact, add }
}

const constat = { codes: ['souhait' as const], rdv: null, description: null, alternatives: [], souhait: 'Rappeler.' }

/** The contract of `fieldStore`, for `storageContract({ features })`. */
export function fieldContract({ describe, it, expect }: Suite): void {
  describe('files from the field', () => {
    it('are stored in parts, and read as a whole', async (storage) => {
      await addOwner(storage, 'ours')
      const field = storage.reads.of(fieldStore)
      const name = upload()
      await storage.transaction(async (tx) => {
        await tx.of(fieldStore).putUpload(upload())
        await tx.of(fieldStore).addPart({ ...name, position: 3, content: Buffer.from('lo') })
        await tx.of(fieldStore).addPart({ ...name, position: 0, content: Buffer.from('hel') })
        await tx.of(fieldStore).addPart({ ...name, position: 0, content: Buffer.from('HEL') })
        await tx.of(fieldStore).putUpload(upload({ recu: 5, media_type: 'image/png' }))
      })
      expect(await field.upload(name)).toEqual(upload({ recu: 5, media_type: 'image/png' }))
      expect(Buffer.from(await field.uploaded(name)).toString()).toBe('hello')
      for (const other of [{ auteur_id: 'usr_2' }, { sha256: digest(2) }, { account_id: 'theirs' }]) {
        expect(await field.upload({ ...name, ...other })).toBeNull()
        expect(await field.uploaded({ ...name, ...other })).toHaveLength(0)
      }
    })

    it('have their bytes counted by sender, and are deleted singly or by age', async (storage) => {
      await addOwner(storage, 'ours')
      const field = storage.reads.of(fieldStore)
      const [old, young, foreign] = [
        upload(),
        upload({ sha256: digest(2), date: instant(10), taille: 7 }),
        upload({ auteur_id: 'usr_2', date: instant(5), taille: 9 }),
      ]
      await storage.transaction(async (tx) => {
        for (const each of [old, young, foreign]) {
          await tx.of(fieldStore).putUpload(each)
          await tx.of(fieldStore).addPart({ ...each, position: 0, content: Buffer.from('x') })
        }
      })
      expect(await field.uploadedBytes('ours', 'usr_1')).toBe(12)
      expect(await field.uploadedBytes('ours', 'usr_3')).toBe(0)
      expect(await storage.transaction((tx) => tx.of(fieldStore).purgeUploads(instant(10), 1))).toBe(1)
      expect(await field.upload(old)).toBeNull()
      expect(await storage.transaction((tx) => tx.of(fieldStore).purgeUploads(instant(10), 10))).toBe(1)
      expect(await field.upload(foreign)).toBeNull()
      await storage.transaction((tx) => tx.of(fieldStore).removeUpload(young))
      expect(await field.upload(young)).toBeNull()
      expect(await field.uploaded(young)).toHaveLength(0)
    })
  })

  describe('facts from the field', () => {
    it('are found by sender and key, which are unique', async (storage) => {
      const { fact, add } = await openFacts(storage)
      const id = await add(fact('a', { constat }))
      expect(await storage.reads.of(fieldStore).fact('ours', 'usr_1', 'a')).toEqual({ ...fact('a', { constat }), id })
      for (const [account_id, auteur_id, cle] of [
        ['theirs', 'usr_1', 'a'],
        ['ours', 'usr_2', 'a'],
        ['ours', 'usr_1', 'b'],
      ] as const)
        expect(await storage.reads.of(fieldStore).fact(account_id, auteur_id, cle)).toBeNull()
      await expect(add(fact('a'))).rejects.toThrow()
      await add(fact('a', { auteur_id: 'usr_2' }))
    })

    it('of an erased client lose their digest, and their key if it is a digest', async (storage) => {
      const { fact, add } = await openFacts(storage)
      const given = fact('a', { constat })
      const id = await add(given)
      const byContent = fact(digest(8), { empreinte: digest(8) })
      await add(byContent)
      const field = storage.reads.of(fieldStore)
      await storage.transaction((tx) => tx.of(fieldStore).eraseFacts('theirs', given.client_id))
      expect(await field.fact('ours', 'usr_1', 'a')).toEqual({ ...given, id })
      const erase = () => storage.transaction((tx) => tx.of(fieldStore).eraseFacts('ours', given.client_id))
      await erase()
      await erase()
      expect(await field.fact('ours', 'usr_1', 'a')).toEqual({ ...given, id, constat: null, empreinte: '' })
      expect(await field.fact('ours', 'usr_1', byContent.cle)).toBeNull()
    })

    it('are deleted by age, unless the office must act on them', async (storage) => {
      const { fact, add } = await openFacts(storage)
      await add(fact('a'))
      await add(fact('b', { constat }))
      await add(fact('c', { date: instant(10) }))
      expect(await storage.transaction((tx) => tx.of(fieldStore).purgeFacts(instant(10), 5))).toBe(1)
      const field = storage.reads.of(fieldStore)
      expect(await field.fact('ours', 'usr_1', 'a')).toBeNull()
      expect(await field.fact('ours', 'usr_1', 'b')).not.toBeNull()
      expect(await field.fact('ours', 'usr_1', 'c')).not.toBeNull()
    })
  })
}
