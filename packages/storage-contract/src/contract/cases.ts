import { formatReference } from '@sav/core/ports'
import {
  addCase,
  addOwner,
  changeCase,
  closing,
  digest,
  ended,
  historyEntry,
  insertCase,
  instant,
  newCase,
  poseur,
  present,
  twoOwners,
} from '../samples/samples.js'
import type { Suite } from './suite.js'

export function caseContract({ describe, it, expect }: Suite): void {
  describe('cases', () => {
    it('a new case is open, unassigned, at version 1, and otherwise as it was inserted', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const fields = newCase(owner, {
        numero: 7,
        description: 'Façade rayée, « joint » décollé 🪛\nà revoir',
        type_probleme: 'facade',
        priorite: 'urgente',
        photos: [{ url: 'https://photos.example/1.jpg' }, { sha256: digest(2) }, { sha256: digest(1) }],
        date_creation: instant(123),
        tete_historique: { numero: 1, hash: digest(3) },
      })
      const id = await storage.transaction((tx) => tx.cases.insert(fields))
      const expected = {
        id,
        account_id: 'ours',
        reference: 'SAV-2026-00007',
        client: { id: owner.client_id, nom: 'Client de ours', prenom: 'Alice' },
        description: fields.description,
        type_probleme: 'facade',
        statut: 'ouvert',
        priorite: 'urgente',
        photos: fields.photos,
        reference_origine: null,
        notes_internes: null,
        sel_notes: null,
        tete_historique: fields.tete_historique,
        poseur_assigne: null,
        date_creation: instant(123),
        date_modification: instant(123),
        version: 1,
      }
      expect(await storage.reads.cases.find('ours', id)).toEqual(expected)
      expect(await storage.reads.cases.findByReference('ours', { annee: 2026, numero: 7 })).toEqual(expected)
      expect(await storage.transaction((tx) => tx.cases.lock('ours', id))).toEqual(expected)
    })

    it('a case for an erased client is refused', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      await storage.transaction((tx) => tx.directory.updateClient('ours', owner.client_id, { efface_le: instant(1) }))
      const insertion = storage.transaction((tx) => tx.cases.insert(newCase(owner, {})))
      const refused = await insertion.catch((error: unknown) => error)
      expect(refused).toMatchObject({ code: 'client_erased' })
      expect((await storage.reads.cases.list('ours', {}, { page: 1, limite: 10 })).total).toBe(0)
    })

    it('an unknown id and an unknown reference find nothing', async (storage) => {
      const { id } = await addCase(storage, await addOwner(storage, 'ours'))
      expect(await storage.reads.cases.find('ours', id + 1000)).toBeNull()
      expect(await storage.reads.cases.find('ours', Number.MAX_SAFE_INTEGER)).toBeNull()
      expect(await storage.reads.cases.findByReference('ours', { annee: 2026, numero: 2 })).toBeNull()
      expect(await storage.reads.cases.findByReference('ours', { annee: 2025, numero: 1 })).toBeNull()
      expect(await storage.reads.cases.findByReference('ours', { annee: 2026, numero: 999_999_999_999_999 })).toBeNull()
      expect(await storage.reads.cases.history('ours', id + 1000)).toEqual([])
      expect(await storage.transaction((tx) => tx.cases.lock('ours', id + 1000))).toBeNull()
    })

    it('numbers of more than five digits find their case', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      await storage.transaction((tx) => tx.cases.insert(newCase(owner, { numero: 99_999 })))
      await storage.transaction((tx) => tx.cases.insert(newCase(owner, { numero: 100_000 })))
      const found = await storage.reads.cases.findByReference('ours', { annee: 2026, numero: 100_000 })
      expect(found).toMatchObject({ reference: 'SAV-2026-100000' })
    })

    it('ids are positive integers, and no two accounts share one', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const cases = await Promise.all(
        Array.from({ length: 20 }, (_, index) => addCase(storage, index % 2 === 0 ? ours : theirs)),
      )
      expect(cases.every(({ id }) => Number.isSafeInteger(id) && id > 0)).toBe(true)
      expect(new Set(cases.map(({ id }) => id)).size).toBe(20)
    })

    it('a case shows the present names of its client and its poseur', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const inserted = await addCase(storage, owner)
      await changeCase(storage, inserted, { poseur_id: owner.poseur_id })
      await storage.transaction(async (tx) => {
        await tx.directory.updateClient('ours', owner.client_id, { nom: 'Roux', prenom: 'Anne' })
        await tx.directory.updatePoseur('ours', owner.poseur_id, { nom: 'Carl Adam' })
      })
      const names = {
        client: { id: owner.client_id, nom: 'Roux', prenom: 'Anne' },
        poseur_assigne: { id: owner.poseur_id, nom: 'Carl Adam' },
      }
      expect(await storage.reads.cases.find('ours', inserted.id)).toMatchObject(names)
      const { items } = await storage.reads.cases.list('ours', {}, { page: 1, limite: 1 })
      expect(items[0]).toMatchObject(names)
    })

    it('an update replaces the given fields, and keeps the others', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const inserted = await addCase(storage, owner)
      const other = await addCase(storage, owner)
      const assigned = await changeCase(storage, inserted, {
        statut: 'en_cours',
        priorite: 'haute',
        type_probleme: 'reglage',
        poseur_id: owner.poseur_id,
        notes_internes: 'Rappeler avant de passer.',
        photos: [{ sha256: digest(4), date: instant(5), rdv_id: 3 }],
        date_modification: instant(5),
      })
      expect(assigned).toEqual({
        ...inserted,
        statut: 'en_cours',
        priorite: 'haute',
        type_probleme: 'reglage',
        poseur_assigne: { id: owner.poseur_id, nom: 'Poseur de ours' },
        notes_internes: 'Rappeler avant de passer.',
        photos: [{ sha256: digest(4), date: instant(5), rdv_id: 3 }],
        date_modification: instant(5),
        version: 2,
      })

      const touched = await changeCase(storage, inserted, { date_modification: instant(6) })
      expect(touched).toEqual({ ...assigned, date_modification: instant(6), version: 3 })

      const unchanged = await changeCase(storage, inserted, {
        statut: undefined,
        priorite: undefined,
        type_probleme: undefined,
        poseur_id: undefined,
        notes_internes: undefined,
        closing: undefined,
        date_modification: instant(6),
      })
      expect(unchanged).toEqual({ ...touched, version: 4 })

      const freed = await changeCase(storage, inserted, { poseur_id: null, notes_internes: null })
      expect(freed).toMatchObject({ poseur_assigne: null, notes_internes: null, priorite: 'haute', version: 5 })
      expect(await storage.reads.cases.find('ours', other.id)).toEqual(other)
    })

    it('a close adds its fields, and a reopening removes them', async (storage) => {
      const inserted = await addCase(storage, await addOwner(storage, 'ours'))
      const fields = closing({
        photo_avant: digest(1),
        photo_apres: digest(2),
        signature_client: digest(3),
        signataire_nom: 'Mme Évrard',
        reserves: ['Plinthe à reprendre', 'Rayure côté four'],
      })
      const closed = await changeCase(storage, inserted, { statut: 'clos', closing: fields })
      const stamp = { date_modification: instant(1), version: 2 }
      expect(closed).toEqual({ ...inserted, ...fields, ...stamp, statut: 'clos' })

      const noted = await changeCase(storage, inserted, { notes_internes: 'Payé.' })
      expect(noted).toEqual({ ...closed, notes_internes: 'Payé.', version: 3 })

      const reopened = await changeCase(storage, inserted, { statut: 'en_cours', closing: null })
      expect(reopened).toEqual({ ...inserted, ...stamp, statut: 'en_cours', notes_internes: 'Payé.', version: 4 })
    })

    it('a lock on a case excludes other changes until the transaction ends', async (storage) => {
      const inserted = await addCase(storage, await addOwner(storage, 'ours'))
      await Promise.all(Array.from({ length: 20 }, () => changeCase(storage, inserted, {})))
      expect(await storage.reads.cases.find('ours', inserted.id)).toMatchObject({ version: 21 })
    })

    it('nothing of another account is found, locked or changed', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const inserted = await addCase(storage, theirs, { annee: 2030 })
      await storage.transaction((tx) => tx.cases.appendHistory('theirs', inserted.id, [historyEntry()]))
      expect(await storage.reads.cases.find('ours', inserted.id)).toBeNull()
      expect(await storage.reads.cases.findByReference('ours', { annee: 2030, numero: 1 })).toBeNull()
      expect(await storage.reads.cases.history('ours', inserted.id)).toEqual([])
      expect(await storage.reads.cases.list('ours', {}, { page: 1, limite: 10 })).toEqual({ items: [], total: 0 })
      expect(await storage.transaction((tx) => tx.cases.lock('ours', inserted.id))).toBeNull()

      const disguised = { ...inserted, account_id: ours.account_id }
      const changes = { priorite: 'basse', date_modification: instant(9), version: 9 } as const
      await ended(storage.transaction((tx) => tx.cases.update(disguised, changes)))
      await ended(storage.transaction((tx) => tx.cases.appendHistory('ours', inserted.id, [historyEntry()])))
      expect(await storage.reads.cases.find('theirs', inserted.id)).toEqual(inserted)
      expect(await storage.reads.cases.history('theirs', inserted.id)).toHaveLength(1)
      expect(await storage.reads.cases.history('ours', inserted.id)).toEqual([])
    })

    it('a case never shows the client or the poseur of another account', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const inserted = await addCase(storage, ours)
      await ended(addCase(storage, { ...ours, client_id: theirs.client_id }))
      await ended(changeCase(storage, inserted, { poseur_id: theirs.poseur_id }))
      const { items } = await storage.reads.cases.list('ours', {}, { page: 1, limite: 10 })
      const details = await Promise.all(items.map(({ id }) => storage.reads.cases.find('ours', id)))
      expect(JSON.stringify([items, details])).not.toContain('de theirs')
    })
  })

  describe('numbers of references', () => {
    it('start at 1 in each account and each year', async (storage) => {
      await twoOwners(storage)
      const next = (account_id: string, annee: number) =>
        storage.transaction((tx) => tx.cases.nextNumber(account_id, annee))
      expect([await next('ours', 2026), await next('ours', 2026), await next('ours', 2026)]).toEqual([1, 2, 3])
      expect([await next('ours', 2027), await next('theirs', 2026), await next('theirs', 2026)]).toEqual([1, 1, 2])
      expect(await next('ours', 2026)).toBe(4)
    })

    it('follow each other within one transaction', async (storage) => {
      await addOwner(storage, 'ours')
      const numbers = await storage.transaction(async (tx) => [
        await tx.cases.nextNumber('ours', 2026),
        await tx.cases.nextNumber('ours', 2026),
      ])
      expect(numbers).toEqual([1, 2])
    })

    it('go back when their transaction rolls back', async (storage) => {
      await addOwner(storage, 'ours')
      const taken: number[] = []
      const failing = storage.transaction(async (tx) => {
        taken.push(await tx.cases.nextNumber('ours', 2026))
        throw new Error('changed our mind')
      })
      await ended(failing)
      expect(taken).toContain(1)
      expect(await storage.transaction((tx) => tx.cases.nextNumber('ours', 2026))).toBe(1)
    })

    it('have neither gap nor duplicate after 60 concurrent creations of which every third fails', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const creating = Array.from({ length: 60 }, (_, index) =>
        storage.transaction(async (tx) => {
          const inserted = await insertCase(tx, index % 2 === 0 ? ours : theirs)
          if (index % 3 === 0) throw new Error('changed our mind')
          return inserted
        }),
      )
      await Promise.allSettled(creating)
      for (const { account_id } of [ours, theirs]) {
        const { items } = await storage.reads.cases.list(account_id, {}, { page: 1, limite: 100 })
        const expected = Array.from({ length: 20 }, (_, index) => formatReference({ annee: 2026, numero: index + 1 }))
        expect(items.map(({ reference }) => reference).sort()).toEqual(expected)
      }
    })
  })

  describe('history of a case', () => {
    it('reads back in the order of the events, whatever their dates', async (storage) => {
      const { id } = await addCase(storage, await addOwner(storage, 'ours'))
      const entries = [
        historyEntry({ type: 'creation', date: instant(9), acteur: { type: 'cle', id: 'key_1', nom: 'caisse' } }),
        historyEntry({ champ: 'poseur_id', ancienne_valeur: null, nouvelle_valeur: 12 }),
        historyEntry({ champ: 'statut', ancienne_valeur: 'ouvert', nouvelle_valeur: '12' }),
        historyEntry({ type: 'cloture', date: instant(2) }),
        historyEntry({ type: 'reouverture', date: instant(1), commentaire: 'La porte ferme mal à nouveau.' }),
      ]
      await storage.transaction((tx) => tx.cases.appendHistory('ours', id, entries.slice(0, 3)))
      await storage.transaction((tx) => tx.cases.appendHistory('ours', id, []))
      await storage.transaction((tx) => tx.cases.appendHistory('ours', id, entries.slice(3)))
      const history = await storage.reads.cases.history('ours', id)
      const lines = entries.map(({ numero: _, hash: __, sel: ___, empreintes: ____, ...line }) => line)
      expect(history).toEqual(lines.map((line, index) => ({ id: history[index]?.id, ...line })))
      const ids = history.map((entry) => entry.id)
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      expect(new Set(ids).size).toBe(5)
      expect(ids.every((number) => Number.isSafeInteger(number) && number > 0)).toBe(true)
    })

    it('keeps the position of each line in its chain, and the head of the chain with the case', async (storage) => {
      const { id } = await addCase(storage, await addOwner(storage, 'ours'))
      const places = [
        { numero: 1, hash: digest(1), sel: null, empreintes: null },
        { numero: 2, hash: digest(2), sel: 'ab'.repeat(16), empreintes: { commentaire: digest(3) } },
      ]
      const lines = places.map((place) => historyEntry({ commentaire: 'Porte réglée.', ...place }))
      await storage.transaction((tx) => tx.cases.appendHistory('ours', id, lines))
      expect(await storage.reads.cases.historyChain('ours', id)).toEqual(lines)
      expect(await storage.reads.cases.historyChain('theirs', id)).toEqual([])

      const tete_historique = { numero: 2, hash: digest(2) }
      await changeCase(storage, { account_id: 'ours', id }, { tete_historique, sel_notes: 'cd'.repeat(16) })
      const changed = await changeCase(storage, { account_id: 'ours', id }, { priorite: 'haute' })
      expect(changed).toMatchObject({ tete_historique, sel_notes: 'cd'.repeat(16) })
      await storage.transaction((tx) => tx.cases.erase('ours', id, '(effacé)'))
      expect(await storage.reads.cases.find('ours', id)).toMatchObject({ tete_historique, sel_notes: null })
      const erased = lines.map((line) => ({ ...line, sel: null, commentaire: '(effacé)' }))
      expect(await storage.reads.cases.historyChain('ours', id)).toEqual(erased)
    })

    it('lists its comments, newest first, page by page', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const [{ id }, other] = [await addCase(storage, ours), await addCase(storage, theirs)]
      const comment = (commentaire: string) => historyEntry({ type: 'commentaire', commentaire })
      const lines = [comment('Un.'), historyEntry({ type: 'cloture', commentaire: 'Réglé.' }), comment('Deux.')]
      await storage.transaction(async (tx) => {
        await tx.cases.appendHistory('ours', id, [...lines, comment('Trois.')])
        await tx.cases.appendHistory('theirs', other.id, [comment('Ailleurs.')])
        expect(await tx.cases.comments('ours', id, { beforeId: null, limit: 1 })).toMatchObject([{ texte: 'Trois.' }])
      })
      const [newest, second, oldest] = (await storage.reads.cases.history('ours', id))
        .toReversed()
        .filter(({ type }) => type === 'commentaire')
      const of = async (beforeId: number | null, limit: number) =>
        (await storage.reads.cases.comments('ours', id, { beforeId, limit })).map(({ texte }) => texte)
      expect(await of(null, 9)).toEqual(['Trois.', 'Deux.', 'Un.'])
      expect(await of(newest?.id ?? 0, 1)).toEqual(['Deux.'])
      expect(await of(oldest?.id ?? 0, 9)).toEqual([])
      expect(await storage.reads.cases.comments('ours', id, { beforeId: newest?.id ?? 0, limit: 1 })).toEqual([
        { id: second?.id, date: second?.date, acteur: second?.acteur, texte: 'Deux.' },
      ])
      expect(await storage.reads.cases.comments('theirs', id, { beforeId: null, limit: 9 })).toEqual([])
    })

    it('lists every case whose history has a close, page by page', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const ids: number[] = []
      for (const owner of [ours, ours, theirs, ours, ours]) {
        const { id, account_id } = await addCase(storage, owner)
        ids.push(id)
        const lines = [historyEntry({ type: 'creation' })]
        if (ids.length !== 2) lines.push(historyEntry({ type: 'cloture' }), historyEntry({ type: 'cloture' }))
        await storage.transaction((tx) => tx.cases.appendHistory(account_id, id, lines))
      }
      const [first = 0, , foreign, fourth = 0, fifth] = ids
      const page = (afterId: number, limit: number) => storage.reads.cases.listEverClosed('ours', { afterId, limit })
      expect(await page(0, 10)).toEqual([first, fourth, fifth])
      expect(await page(0, 2)).toEqual([first, fourth])
      expect(await page(fourth, 2)).toEqual([fifth])
      expect(await storage.reads.cases.listEverClosed('theirs', { afterId: 0, limit: 2 })).toEqual([foreign])
    })

    it('holds the events of that case only', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const [first, second] = [await addCase(storage, owner), await addCase(storage, owner)]
      await storage.transaction((tx) => tx.cases.appendHistory('ours', first.id, [historyEntry({ commentaire: '1' })]))
      await storage.transaction((tx) => tx.cases.appendHistory('ours', second.id, [historyEntry({ commentaire: '2' })]))
      const comments = async (id: number) =>
        (await storage.reads.cases.history('ours', id)).map((entry) => entry.commentaire)
      expect(await comments(first.id)).toEqual(['1'])
      expect(await comments(second.id)).toEqual(['2'])
    })
  })

  describe('closed cases', () => {
    it('of one account are listed by id, after a given id and up to a limit', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const closed: { id: number; reference: string }[] = []
      for (let index = 0; index < 6; index++) {
        const inserted = await addCase(storage, ours, { date_creation: instant(-index) })
        if (index === 2) continue
        await changeCase(storage, inserted, { statut: 'clos', closing: closing() })
        closed.push({ id: inserted.id, reference: inserted.reference })
      }
      const foreign = await addCase(storage, theirs)
      await changeCase(storage, foreign, { statut: 'clos', closing: closing() })

      const list = (afterId: number, limit: number) => storage.reads.cases.listClosed('ours', { afterId, limit })
      expect(await list(0, 100)).toEqual(closed)
      expect(await list(0, 2)).toEqual(closed.slice(0, 2))
      expect(await list(present(closed[1]).id, 2)).toEqual(closed.slice(2, 4))
      expect(await list(present(closed[4]).id, 2)).toEqual([])

      const reopened = present(closed[0])
      await changeCase(storage, { account_id: 'ours', ...reopened }, { statut: 'en_cours', closing: null })
      expect(await list(0, 100)).toEqual(closed.slice(1))
    })
  })

  describe('assignments', () => {
    it('a case can be reassigned from one poseur to another', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const second = await storage.transaction((tx) => tx.directory.addPoseur('ours', poseur({ nom: 'Carl Adam' })))
      const inserted = await addCase(storage, owner)
      await changeCase(storage, inserted, { poseur_id: owner.poseur_id })
      const moved = await changeCase(storage, inserted, { poseur_id: second })
      expect(moved.poseur_assigne).toEqual({ id: second, nom: 'Carl Adam' })
      const page = { page: 1, limite: 10 }
      expect((await storage.reads.cases.list('ours', { poseur_id: owner.poseur_id }, page)).total).toBe(0)
      expect((await storage.reads.cases.list('ours', { poseur_id: second }, page)).total).toBe(1)
    })
  })
}
