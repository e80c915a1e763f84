import { describe, expect, it } from 'vitest'
import {
  badFields,
  dataUri,
  description,
  jpeg,
  motif,
  otherJpeg,
  refusal,
  resolution,
  sha256,
  withCase,
  withClosedCase,
} from '../../test/case-samples.js'
import { as } from '../../test/open-sav.js'
import { png } from '../../test/reporting.js'
import { CaseAlreadyClosedError, ConflictError, NotFoundError } from '../errors.js'

describe('closing a case', () => {
  it('returns the hash, the position in the chain, and the report status non_configure', async () => {
    const { sav, actor, id, reference, clock } = await withCase()
    await clock.advance(1_000)
    const closed = await sav.cases.close(actor, id, { resolution })
    expect(closed).toEqual({
      id,
      reference,
      statut: 'clos',
      date_cloture: new Date(clock.now()).toISOString(),
      hash_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      preuve: { sequence: 1, hash_entree: expect.stringMatching(/^[0-9a-f]{64}$/) },
      pv: { statut: 'non_configure' },
    })
  })

  it('adds texts, images and evidence to the detail', async () => {
    const { sav, actor, id } = await withCase()
    const closed = await sav.cases.close(actor, id, {
      resolution,
      photo_avant: dataUri(jpeg),
      photo_apres: dataUri(otherJpeg),
      signature_client: png,
      signataire_nom: 'A. Durand',
      reserves: ['Rayure.', 'Joint.'],
    })
    const detail = await sav.cases.get('default', id)
    expect(detail).toMatchObject({
      statut: 'clos',
      resolution,
      date_cloture: closed.date_cloture,
      photo_avant: sha256(jpeg),
      photo_apres: sha256(otherJpeg),
      signature_client: sha256(Buffer.from(png.slice(png.indexOf(',')), 'base64')),
      signataire_nom: 'A. Durand',
      reserves: ['Rayure.', 'Joint.'],
      pv: { statut: 'non_configure' },
      version: 2,
    })
    expect(detail.preuve).toEqual([
      {
        sequence: 1,
        date: closed.date_cloture,
        hash_sha256: closed.hash_sha256,
        hash_entree: closed.preuve.hash_entree,
      },
    ])
    expect(detail.historique.at(-1)).toMatchObject({
      type: 'cloture',
      date: closed.date_cloture,
      champ: 'statut',
      ancienne_valeur: 'ouvert',
      nouvelle_valeur: 'clos',
    })
    for (const [name, type] of [
      [detail.photo_avant, 'image/jpeg'],
      [detail.photo_apres, 'image/jpeg'],
      [detail.signature_client, 'image/png'],
    ])
      expect((await sav.cases.file('default', id, name ?? '')).media_type).toBe(type)
  })

  it('a second time is refused with the existing hash, and changes nothing', async () => {
    const { sav, actor, id, closed } = await withClosedCase()
    const before = await sav.cases.get('default', id)
    const second = await refusal(sav.cases.close(actor, id, { resolution: 'Une tout autre résolution.' }))
    expect(second).toBeInstanceOf(CaseAlreadyClosedError)
    expect(second).toMatchObject({ hash_sha256: closed.hash_sha256 })
    expect(await sav.cases.get('default', id)).toEqual(before)
  })

  it('requires a signature if the account does', async () => {
    const { sav, actor, id } = await withCase()
    await sav.accounts.update(as('default'), { signature_requise: true })
    expect(await badFields(sav.cases.close(actor, id, { resolution }))).toEqual(['signature_client'])
    const both = badFields(sav.cases.close(actor, id, { resolution: 'court' }))
    expect(await both).toEqual(['resolution', 'signature_client'])
    expect(await sav.cases.get('default', id)).toMatchObject({ statut: 'ouvert', version: 1, preuve: [] })
    await sav.accounts.update(as('default'), { signature_requise: false })
    await sav.cases.close(actor, id, { resolution })
  })
})

describe('reopening a case', () => {
  it('removes the fields of the close, but keeps its images, and its texts in the evidence and history', async () => {
    const { sav, actor, id } = await withCase()
    const closed = await sav.cases.close(actor, id, { resolution, photo_avant: dataUri(jpeg) })
    const reopened = await sav.cases.reopen(actor, id, { motif })
    expect(reopened).toMatchObject({
      statut: 'en_cours',
      resolution: null,
      date_cloture: null,
      photo_avant: null,
      photo_apres: null,
      signature_client: null,
      signataire_nom: null,
      reserves: [],
      pv: null,
      version: 3,
    })
    expect(reopened).toEqual(await sav.cases.get('default', id))
    expect(reopened.preuve.map(({ hash_sha256 }) => hash_sha256)).toEqual([closed.hash_sha256])
    expect(reopened.historique.at(-1)).toMatchObject({
      type: 'reouverture',
      champ: 'statut',
      ancienne_valeur: 'clos',
      nouvelle_valeur: 'en_cours',
      commentaire: motif,
    })
    expect(JSON.stringify(reopened.historique)).toContain(resolution)
    expect((await sav.cases.proof('default', id)).snapshot).toContain(resolution)
    expect((await sav.cases.file('default', id, sha256(jpeg))).media_type).toBe('image/jpeg')
  })

  it('and closing again adds a second entry to the chain', async () => {
    const { sav, actor, id, closed, clock } = await withClosedCase()
    await sav.cases.reopen(actor, id, { motif })
    await clock.advance(1_000)
    const again = await sav.cases.close(actor, id, { resolution: 'Charnière remplacée à nouveau.' })
    expect(again.preuve.sequence).toBe(2)
    expect(again.hash_sha256).not.toBe(closed.hash_sha256)
    const { preuve } = await sav.cases.get('default', id)
    expect(preuve.map(({ sequence }) => sequence)).toEqual([1, 2])
    expect(await refusal(sav.cases.close(actor, id, { resolution }))).toMatchObject({ hash_sha256: again.hash_sha256 })
    expect(await sav.evidence.verify('default')).toEqual({ checked: 2, broken: [] })
  })

  it('is refused for an open case, with its status', async () => {
    const { sav, actor, id } = await withCase()
    await expect(sav.cases.reopen(actor, id, { motif })).rejects.toThrow(ConflictError)
    await expect(sav.cases.reopen(actor, id, { motif })).rejects.toThrow(/ouvert/)
    await sav.cases.close(actor, id, { resolution })
    await sav.cases.reopen(actor, id, { motif })
    await expect(sav.cases.reopen(actor, id, { motif })).rejects.toThrow(/en_cours/)
  })
})

describe('the proof of a close', () => {
  it('has the snapshot with the hash of the close, and the neighbouring entries of the chain', async () => {
    const { sav, actor, client, id, closed } = await withClosedCase()
    const second = await sav.cases.create(actor, { client_id: client.id, description })
    await sav.cases.close(actor, second.id, { resolution })
    const proof = await sav.cases.proof('default', id)
    expect(proof.hash_sha256).toBe(closed.hash_sha256)
    expect(sha256(Buffer.from(proof.snapshot ?? ''))).toBe(closed.hash_sha256)
    expect(proof.entree).toMatchObject({
      version: 1,
      account: 'default',
      sequence: 1,
      reference: closed.reference,
      date: closed.date_cloture,
      hash_dossier: closed.hash_sha256,
      hash_precedent: '0'.repeat(64),
      hash_entree: closed.preuve.hash_entree,
    })
    expect(proof.precedente).toBeNull()
    expect(proof.suivante).toMatchObject({ sequence: 2, hash_precedent: closed.preuve.hash_entree })
    expect(await sav.cases.proof('default', second.id)).toMatchObject({ precedente: { sequence: 1 }, suivante: null })
  })

  it('is that of the latest close by default, or of a given earlier one', async () => {
    const { sav, actor, id, closed, clock } = await withClosedCase()
    await sav.cases.reopen(actor, id, { motif })
    await clock.advance(1_000)
    const again = await sav.cases.close(actor, id, { resolution })
    const [latest, earlier] = [await sav.cases.proof('default', id), await sav.cases.proof('default', id, 1)]
    expect([latest.hash_sha256, latest.entree.sequence]).toEqual([again.hash_sha256, 2])
    expect([earlier.hash_sha256, earlier.entree.sequence]).toEqual([closed.hash_sha256, 1])
  })

  it('does not exist before the first close, or for the sequence of another case', async () => {
    const { sav, actor, client, id } = await withCase()
    await expect(sav.cases.proof('default', id)).rejects.toThrow(NotFoundError)
    const second = await sav.cases.create(actor, { client_id: client.id, description })
    await sav.cases.close(actor, second.id, { resolution })
    await expect(sav.cases.proof('default', id, 1)).rejects.toThrow(NotFoundError)
    await expect(sav.cases.proof('default', second.id, 2)).rejects.toThrow(NotFoundError)
  })
})
