import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { OpenCase } from './case.js'
import { decideClose } from './closing.js'

const open: OpenCase = {
  account_id: 'default',
  id: 1,
  reference: 'SAV-2026-00001',
  client: { id: 7, nom: 'Durand', prenom: 'Alice' },
  description: 'La porte ne ferme plus.',
  statut: 'ouvert',
  priorite: 'normale',
  type_probleme: 'autre',
  photos: [{ url: 'https://photos.example/1.jpg' }],
  reference_origine: null,
  notes_internes: 'Rappeler.',
  sel_notes: null,
  tete_historique: { numero: 1, hash: '' },
  poseur_assigne: { id: 3, nom: 'Bruno Petit' },
  date_creation: '2026-01-15T10:30:00.000Z',
  date_modification: '2026-01-15T10:30:00.000Z',
  version: 4,
}
const now = '2026-01-16T09:00:00.000Z'

function file(text: string, media_type = 'image/jpeg') {
  const content = Buffer.from(text)
  return { sha256: createHash('sha256').update(content).digest('hex'), media_type, content }
}

describe('closing a case', () => {
  it.each(['ouvert', 'en_cours'] as const)('%s makes it clos, one version further, now', (statut) => {
    const { closed } = decideClose({ ...open, statut }, { resolution: 'Charnière remplacée.', reserves: [] }, now)
    expect(closed).toEqual({
      ...open,
      statut: 'clos',
      date_cloture: now,
      resolution: 'Charnière remplacée.',
      photo_avant: null,
      photo_apres: null,
      signature_client: null,
      signataire_nom: null,
      reserves: [],
      survenu_a: null,
      decalage_ms: null,
      vu: null,
      date_modification: now,
      version: 5,
    })
  })

  it('keeps each image under its SHA-256', () => {
    const [photo_avant, photo_apres, signature_client] = [file('avant'), file('apres'), file('signature', 'image/png')]
    const decision = decideClose(
      open,
      {
        resolution: 'Charnière remplacée.',
        photo_avant,
        photo_apres,
        signature_client,
        signataire_nom: 'A. Durand',
        reserves: ['Rayure.', 'Joint.'],
      },
      now,
    )
    expect(decision.closing).toEqual({
      date_cloture: now,
      resolution: 'Charnière remplacée.',
      photo_avant: photo_avant.sha256,
      photo_apres: photo_apres.sha256,
      signature_client: signature_client.sha256,
      signataire_nom: 'A. Durand',
      reserves: ['Rayure.', 'Joint.'],
      survenu_a: null,
      decalage_ms: null,
      vu: null,
    })
    expect(decision.closed).toMatchObject(decision.closing)
    expect(decision.files).toEqual([photo_avant, photo_apres, signature_client])
  })

  it('with one image keeps that one alone', () => {
    const photo_apres = file('apres')
    const { files, closing } = decideClose(open, { resolution: 'Charnière remplacée.', photo_apres, reserves: [] }, now)
    expect(files).toEqual([photo_apres])
    expect(closing).toMatchObject({ photo_avant: null, photo_apres: photo_apres.sha256, signature_client: null })
  })

  it('leaves the case that it was given as it was', () => {
    const before = structuredClone(open)
    decideClose(open, { resolution: 'Charnière remplacée.', reserves: [] }, now)
    expect(open).toEqual(before)
  })
})
