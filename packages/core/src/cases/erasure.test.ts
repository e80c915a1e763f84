import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { as, openSav } from '../../test/open-sav.js'

const jpeg = `data:image/jpeg;base64,${Buffer.from('ffd8ffe000104a46494600010100', 'hex').toString('base64')}`
const closing = { resolution: 'Zoé a réglé la porte avec nous.', photo_apres: jpeg, signataire_nom: 'Zoé Martin' }

/** Zoé has a case closed twice and an open one; another client has a closed one. */
async function house() {
  const opened = await openSav()
  const { sav, actor, account_id, client: other, clock } = opened
  const zoe = await sav.directory.clients.add(as(account_id), {
    nom: 'Martin',
    prenom: 'Zoé',
    email: 'zoe@martin.example',
    telephone: '06 12 34 56 78',
    adresse: '12 quai des Brumes',
    whatsapp: true,
  })
  const create = (client_id: number) =>
    sav.cases.create(actor, { client_id, description: 'Chez Zoé Martin, la porte.', photos: [jpeg] })
  const closed = await create(zoe.id)
  const open = await create(zoe.id)
  const others = await create(other.id)
  await sav.cases.close(actor, closed.id, closing)
  await clock.advance(1_000)
  await sav.cases.reopen(actor, closed.id, { motif: 'Zoé dit que la porte coince.' })
  await sav.cases.close(actor, closed.id, closing)
  await sav.cases.close(actor, others.id, closing)
  await sav.cases.update(actor, open.id, { notes_internes: 'Rappeler Zoé' })
  return { ...opened, zoe, closed, open, others }
}

describe('erasing a client', () => {
  it('leaves nothing personal anywhere', async () => {
    const { sav, actor, account_id, zoe, closed, open, storage } = await house()
    const before = await sav.cases.get(account_id, closed.id)
    expect(JSON.stringify(before)).toContain('Zoé')
    const erased = await sav.directory.clients.erase(actor, zoe.id)
    expect(erased).toMatchObject({ nom: '(effacé)', prenom: '(effacé)', email: null, telephone: null, adresse: null })
    expect(erased).toMatchObject({ whatsapp: false, efface_le: expect.any(String) })

    const kept = [
      await sav.cases.get(account_id, closed.id),
      await sav.cases.get(account_id, open.id),
      await sav.cases.proof(account_id, closed.id, 1),
      await sav.cases.proof(account_id, closed.id),
      await storage.reads.evidence.walk(account_id, { afterSequence: 0, limit: 2 }),
    ]
    expect(JSON.stringify(kept)).not.toMatch(/Zoé|Martin|zoe@|06 12|Brumes/)
    const [sha256] = before.photo_apres?.split('/').slice(-1) ?? []
    await expect(sav.cases.file(account_id, closed.id, sha256 ?? '')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('keeps the chain valid, with an entry that names the erased closes', async () => {
    const { sav, actor, account_id, zoe, closed } = await house()
    await sav.directory.clients.erase(actor, zoe.id)
    expect(await sav.evidence.verify(account_id)).toEqual({ checked: 4, broken: [] })
    const proof = await sav.cases.proof(account_id, closed.id, 1)
    expect(proof).toMatchObject({ snapshot: null, effacement: { sequence: 4 }, entree: { sequence: 1 } })
    const erasure = await sav.cases.proof(account_id, closed.id, 4)
    expect(JSON.parse(erasure.snapshot ?? '')).toMatchObject({
      type: 'effacement',
      efface: [
        { sequence: 1, hash_dossier: proof.hash_sha256 },
        { sequence: 2, hash_dossier: expect.any(String) },
      ],
    })
  })

  it('does not affect other clients, even with the same photo', async () => {
    const { sav, actor, account_id, zoe, others } = await house()
    const before = await sav.cases.get(account_id, others.id)
    await sav.directory.clients.erase(actor, zoe.id)
    expect(await sav.cases.get(account_id, others.id)).toEqual(before)
    expect(
      (await sav.cases.file(account_id, others.id, before.photo_apres?.split('/').at(-1) ?? '')).content,
    ).toBeDefined()
  })

  it('is recorded in the history, and increases the version', async () => {
    const { sav, actor, account_id, zoe, open } = await house()
    const { version } = await sav.cases.get(account_id, open.id)
    await sav.directory.clients.erase(actor, zoe.id)
    const after = await sav.cases.get(account_id, open.id)
    expect(after.version).toBe(version + 1)
    expect(after.historique.at(-1)).toMatchObject({ type: 'effacement', acteur: { nom: actor.nom } })
  })

  it('a second time changes nothing, and fails for an unknown client', async () => {
    const { sav, actor, account_id, zoe, storage } = await house()
    const first = await sav.directory.clients.erase(actor, zoe.id)
    expect(await sav.directory.clients.erase(actor, zoe.id)).toEqual(first)
    expect((await storage.reads.evidence.head(account_id))?.sequence).toBe(4)
    await expect(sav.directory.clients.erase(actor, 999)).rejects.toMatchObject({ code: 'not_found' })
    const foreign = { ...actor, account_id: 'other' }
    await expect(sav.directory.clients.erase(foreign, zoe.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is not undone by an update', async () => {
    const { sav, actor, account_id, zoe } = await house()
    await sav.directory.clients.erase(actor, zoe.id)
    const update = sav.directory.clients.update(as(account_id), zoe.id, { nom: 'Martin' })
    await expect(update).rejects.toMatchObject({ code: 'client_erased' })
  })

  it('refuses any new text about that person; the case can still be changed and closed without text', async () => {
    const { sav, actor, account_id, zoe, closed, open } = await house()
    await sav.directory.clients.erase(actor, zoe.id)
    const before = await sav.cases.get(account_id, open.id)
    const writes = await Promise.allSettled([
      sav.cases.create(actor, { client_id: zoe.id, description: 'La porte de Zoé coince encore.' }),
      sav.cases.update(actor, open.id, { notes_internes: 'Rappeler Zoé' }),
      sav.cases.close(actor, open.id, closing),
      sav.cases.reopen(actor, closed.id, { motif: 'Zoé dit que la porte coince.' }),
    ])
    for (const write of writes) expect(write).toMatchObject({ reason: { code: 'client_erased' } })
    await expect(sav.cases.close(actor, open.id, { signataire_nom: 'Zoé' } as never)).rejects.toThrow(/signataire_nom/)
    expect(await sav.cases.get(account_id, open.id)).toEqual(before)

    await sav.cases.update(actor, open.id, { priorite: 'urgente', notes_internes: null })
    await sav.cases.close(actor, open.id, {})
    const { statut, resolution, reserves } = await sav.cases.get(account_id, open.id)
    expect({ statut, resolution, reserves }).toEqual({ statut: 'clos', resolution: '(effacé)', reserves: [] })
    expect(await sav.evidence.verify(account_id)).toEqual({ checked: 5, broken: [] })
  })

  it('makes the resolution of a close optional, which is required before', async () => {
    const { sav, actor, open } = await house()
    await expect(sav.cases.close(actor, open.id, {})).rejects.toThrow(/resolution: required/)
  })

  it('again removes data added since, with a separate entry, and does not change other cases', async () => {
    const { sav, actor, account_id, zoe, closed, open, storage, clock } = await house()
    await sav.directory.clients.erase(actor, zoe.id)
    const [quiet, written] = [await sav.cases.get(account_id, open.id), await sav.cases.get(account_id, closed.id)]
    // An earlier release allowed this change of an erased case.
    await storage.transaction(async (tx) => {
      const found = await tx.cases.lock(account_id, closed.id)
      if (found === null) throw new Error('no case')
      const changes = { version: found.version + 1, date_modification: found.date_modification }
      await tx.cases.update(found, { ...changes, notes_internes: 'Rappeler Zoé' })
    })
    await clock.advance(1_000)
    await sav.directory.clients.erase(actor, zoe.id)
    expect(await sav.cases.get(account_id, open.id)).toEqual(quiet)
    const again = await sav.cases.get(account_id, closed.id)
    expect(JSON.stringify(again)).not.toContain('Zoé')
    expect(again.historique.map(({ type }) => type)).toEqual([
      ...written.historique.map(({ type }) => type),
      'effacement',
    ])
    expect(await sav.evidence.verify(account_id)).toEqual({ checked: 5, broken: [] })
  })

  it('without an entry in the chain is reported by the check', async () => {
    const { sav, account_id, closed, storage } = await house()
    const { hash_sha256 } = await sav.cases.proof(account_id, closed.id, 1)
    const marker = '{"efface":{"date":"2026-01-15T10:30:00.000Z","sequence":3}}'
    await storage.transaction((tx) => tx.evidence.eraseSnapshot(account_id, hash_sha256, marker))
    const { broken } = await sav.evidence.verify(account_id)
    expect(broken).toContainEqual(
      expect.objectContaining({ sequence: 1, problem: expect.stringContaining('erased it') }),
    )
  })

  it('makes the check report an erased snapshot that came back', async () => {
    const { sav, actor, account_id, zoe, closed, storage } = await house()
    const { snapshot, hash_sha256 } = await sav.cases.proof(account_id, closed.id, 1)
    await sav.directory.clients.erase(actor, zoe.id)
    await storage.transaction((tx) => tx.evidence.eraseSnapshot(account_id, hash_sha256, snapshot ?? ''))
    const { broken } = await sav.evidence.verify(account_id)
    expect(broken.map(({ sequence }) => sequence)).toContain(4)
  })
})

it('an erasure resolves when the files are overwritten, or after two seconds', async () => {
  const storage = await memoryStorage()
  const overwritten = Promise.withResolvers<void>()
  const { sav, actor, client, clock } = await openSav({ storage: { ...storage, scrub: () => overwritten.promise } })
  const erased: string[] = []
  const erase = async (call: string) => {
    await sav.directory.clients.erase(actor, client.id)
    erased.push(call)
  }
  const first = erase('first')
  await clock.advance(1_999)
  expect(erased).toEqual([])
  await clock.advance(1)
  await first
  const second = erase('second')
  overwritten.resolve()
  await second
  expect(erased).toEqual(['first', 'second'])
})
