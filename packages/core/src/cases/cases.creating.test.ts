import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { badFields, dataUri, description, jpeg, refusal, resolution, sha256 } from '../../test/case-samples.js'
import { as, openSav } from '../../test/open-sav.js'
import { ValidationError } from '../errors.js'
import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'

describe('creating a case', () => {
  it('returns its id and reference, and stores every field', async () => {
    const { sav, actor, client, clock } = await openSav()
    const created = await sav.cases.create(actor, {
      client_id: client.id,
      description: `  ${description}\n`,
      type_probleme: 'quincaillerie',
      priorite: 'haute',
      photos: [dataUri(jpeg), 'https://photos.example/1.jpg'],
    })
    expect(created).toEqual({ id: expect.any(Number), reference: 'SAV-2026-00001' })
    const at = new Date(clock.now()).toISOString()
    const detail = await sav.cases.get('default', created.id)
    expect(detail).toMatchObject({
      ...created,
      client: { id: client.id, nom: 'Durand', prenom: 'Alice' },
      description,
      statut: 'ouvert',
      priorite: 'haute',
      type_probleme: 'quincaillerie',
      date_creation: at,
      poseur_assigne: null,
      resolution: null,
      reserves: [],
      preuve: [],
      interventions: [],
      version: 1,
    })
    expect(detail.photos).toEqual([
      { id: `${created.id}-1`, sha256: sha256(jpeg) },
      { id: `${created.id}-2`, url: 'https://photos.example/1.jpg' },
    ])
    const acteur = { type: 'cle', id: 'key_1', nom: 'caisse' }
    expect(detail.historique).toMatchObject([{ date: at, type: 'creation', acteur, champ: null, commentaire: null }])
  })

  it('assigns an installer at once if an active one is given', async () => {
    const { sav, actor, client } = await openSav()
    const poseur = await sav.directory.poseurs.add(actor, { nom: 'Bruno Petit' })
    const { id } = await sav.cases.create(actor, { client_id: client.id, description, poseur_id: poseur.id })
    const { poseur_assigne, historique } = await sav.cases.get('default', id)
    expect(poseur_assigne).toEqual({ id: poseur.id, nom: 'Bruno Petit' })
    expect(historique.map(({ type, champ }) => [type, champ])).toEqual([
      ['creation', null],
      ['modification', 'poseur_id'],
    ])
    await sav.directory.poseurs.update(actor, poseur.id, { actif: false })
    const refused = sav.cases.create(actor, { client_id: client.id, description, poseur_id: poseur.id })
    expect(await badFields(refused)).toEqual(['poseur_id'])
    expect((await sav.cases.list('default', {})).total).toBe(1)
  })

  it('numbers from 1 again at New Year in the business time zone', async () => {
    const { sav, actor, client, clock } = await openSav()
    const references: string[] = []
    for (const at of ['2026-12-31T22:59:59.999Z', '2026-12-31T23:00:00.000Z', '2027-01-01T00:00:00.000Z']) {
      clock.set(Date.parse(at))
      references.push((await sav.cases.create(actor, { client_id: client.id, description })).reference)
    }
    expect(references).toEqual(['SAV-2026-00001', 'SAV-2027-00001', 'SAV-2027-00002'])
  })

  it('numbers the case in the year of its date, even if midnight passes meanwhile', async () => {
    const midnight = Date.parse('2026-12-31T23:00:00.000Z')
    let now = midnight - 60
    const ticking: Clock = { now: () => now++, monotonic: () => now, after: () => () => {} }
    const { sav, actor, client } = await openSav({ clock: ticking })
    now = midnight - 60
    while (now < midnight + 20) {
      const { id, reference } = await sav.cases.create(actor, { client_id: client.id, description })
      const { date_creation } = await sav.cases.get('default', id)
      expect(reference.slice(4, 8)).toBe(Date.parse(date_creation) < midnight ? '2026' : '2027')
    }
  })

  it('is refused in the same words for a missing client and for one of another account', async () => {
    const { sav, actor, addAccount } = await openSav()
    const other = await addAccount('other')
    const foreign = await refusal(sav.cases.create(actor, { client_id: other.client.id, description }))
    const missing = await refusal(sav.cases.create(actor, { client_id: 999, description }))
    for (const error of [foreign, missing])
      expect(error instanceof ValidationError && error.details.map(({ field }) => field)).toEqual(['client_id'])
    expect(foreign.message.replace(`${other.client.id}`, 'N')).toBe(missing.message.replace('999', 'N'))
    expect(await sav.cases.list('default', {})).toMatchObject({ total: 0 })
  })

  it('names an unknown client beside every other bad field', async () => {
    const { sav, actor } = await openSav()
    const input = JSON.parse('{"client_id":999,"description":"court","priorite":"x","photo":[]}')
    expect(await badFields(sav.cases.create(actor, input))).toEqual(['client_id', 'description', 'photo', 'priorite'])
  })
})

describe('a transaction that a store runs twice', () => {
  it('has its effects once', async () => {
    const storage = await memoryStorage()
    const twice: Storage = {
      ...storage,
      async transaction(work) {
        const conflict = new Error('a conflict with another transaction')
        const first = storage.transaction(async (tx) => {
          await work(tx)
          throw conflict
        })
        await first.catch((error: unknown) => {
          if (error !== conflict) throw error
        })
        return storage.transaction(work)
      },
    }
    const { sav, actor, client } = await openSav({ storage: twice })
    await sav.webhooks.endpoints.add(as('default'), {
      url: 'https://receiver.example/',
      events: ['sav.created', 'sav.closed'],
    })
    const { id, reference } = await sav.cases.create(actor, { client_id: client.id, description })
    await sav.cases.update(actor, id, { priorite: 'haute' }, [1])
    const closed = await sav.cases.close(actor, id, { resolution, photo_avant: dataUri(jpeg) })
    expect([reference, closed.preuve.sequence]).toEqual(['SAV-2026-00001', 1])
    const { version, historique } = await sav.cases.get('default', id)
    expect([version, historique.length]).toEqual([3, 3])
    expect((await sav.webhooks.deliveries.list('default', {})).items).toHaveLength(2)
    expect(await sav.evidence.verify('default')).toEqual({ checked: 1, broken: [] })
  })
})
