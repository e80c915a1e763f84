import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { account as accountOf } from '../../../storage-contract/src/samples/samples.js'
import type { ClosedCase, Intervention } from '../cases/case.js'
import { type SnapshotContext, snapshotOf as snapshotIn } from '../cases/snapshot.js'
import type { Account } from '../directory/directory.js'
import { nowhere } from '../directory/lieu.js'
import { type EvidenceEntry, faultsOf, nextEntry } from './evidence.js'

/** RFC 8785 for strings and integers, written independently: sorted names, no white space, no nulls. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== null)
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

const digest = (letter: string) => letter.repeat(64)

const account = accountOf('default', {
  raison_sociale: 'Cuisines Martin & Fils',
  adresse: '3 rue de l’Église\n69002 Lyon',
  siret: '12345678900012',
  email: 'sav@martin.example',
  telephone: '04 78 00 11 22',
  assureur: 'Assureur, contrat 7',
  mediateur: 'Médiateur',
  logo: digest('e'),
})

const historique = { numero: 5, hash: digest('9') }

const held = ['d', 'c', 'b', 'a', '8'].map((letter) => ({ sha256: digest(letter), media_type: `image/${letter}` }))

const visit: Intervention = {
  id: 9,
  rdv_id: 31,
  poseur: { id: 3, nom: 'Bruno Petit' },
  type: 'sav',
  date_debut: '2026-01-16T08:00:00.000Z',
  date_fin: '2026-01-16T09:00:00.000Z',
  resultat: 'resolu',
  compte_rendu: 'Façade « chêne » réglée.',
  survenu_a: null,
  pieces: [
    { designation: 'Charnière 110°', quantite: 2, reference: 'CH-110' },
    { designation: 'Vis', quantite: 8, reference: null },
  ],
}
const interventions = [visit, { ...visit, id: 10, resultat: null, compte_rendu: null, pieces: [] }]

const addendum = {
  date: '2026-01-17T09:00:00.000Z',
  survenu_a: '2026-01-16T08:30:00.000Z',
  resolution: 'Façade réglée.',
  photo_avant: null,
  photo_apres: digest('d'),
  signature_client: null,
  signataire_nom: null,
  reserves: [],
  vu: null,
}

const snapshotOf = (closed: ClosedCase, account: Account, client: SnapshotContext['client'], addenda = [addendum]) =>
  snapshotIn(closed, { account, client, historique, held, interventions, addenda })

const site = { adresse: '12 quai des Brumes, 69002 Lyon', telephone: '06 12 34 56 78', lieu: null }

const closed: ClosedCase = {
  account_id: 'default',
  id: 41,
  reference: 'SAV-2026-00041',
  client: { id: 7, nom: 'Durand', prenom: 'Zoé' },
  description: 'La façade "chêne" \\ s’écaille\u2028sous l’évier 🔧\u0007',
  statut: 'clos',
  priorite: 'haute',
  type_probleme: 'facade',
  photos: [{ sha256: digest('a') }, { url: 'https://photos.example/1.jpg' }],
  reference_origine: null,
  notes_internes: 'Client pressé.',
  sel_notes: 'ab'.repeat(16),
  tete_historique: { numero: 4, hash: digest('7') },
  poseur_assigne: { id: 3, nom: 'Bruno Petit' },
  date_creation: '2026-01-15T10:30:00.000Z',
  date_modification: '2026-01-16T09:00:00.000Z',
  version: 4,
  date_cloture: '2026-01-16T09:00:00.000Z',
  resolution: 'Façade remplacée.',
  photo_avant: digest('b'),
  photo_apres: digest('c'),
  signature_client: digest('d'),
  signataire_nom: 'Z. Durand',
  reserves: ['Teinte légèrement plus claire.', 'Joint à revoir.'],
  survenu_a: null,
  decalage_ms: null,
  vu: null,
}

const bare: ClosedCase = {
  ...closed,
  photos: [],
  notes_internes: null,
  poseur_assigne: null,
  photo_avant: null,
  photo_apres: null,
  signature_client: null,
  signataire_nom: null,
  reserves: [],
}

describe('the snapshot of a closed case', () => {
  it('is the canonical JSON of what the customer signed, and of the company', () => {
    const { account_id, notes_internes, sel_notes, tete_historique, date_modification, version, ...told } = closed
    const { raison_sociale, adresse, siret, email, telephone, assureur, mediateur, logo } = account
    const societe = { raison_sociale, adresse, siret, email, telephone, assureur, mediateur, logo }
    const { photo_avant, photo_apres, signature_client, vu, ...late } = addendum
    expect(snapshotOf(closed, account, site)).toBe(
      canonical({
        version: 1,
        account: 'default',
        societe,
        ...told,
        client: { ...told.client, adresse: site.adresse, telephone: site.telephone },
        addenda: [{ ...late, fichiers: [photo_apres] }],
        historique,
        notes_internes: sha256(`${sel_notes}${notes_internes}`),
        // Only the files that the close names, sorted.
        fichiers: ['a', 'b', 'c', 'd'].map((letter) => ({ media_type: `image/${letter}`, sha256: digest(letter) })),
        interventions: interventions.map(({ id, poseur, pieces, rdv_id, ...told }) => {
          const texts = { ...told, poseur_id: String(poseur.id), rdv_id: String(rdv_id) }
          const used = pieces.length === 0 ? {} : { pieces: canonical(pieces) }
          return { id, empreinte: sha256(canonical({ id, ...texts, ...used })) }
        }),
      }),
    )
  })

  it('leaves out absent fields', () => {
    const anonymous = accountOf('default')
    const snapshot = snapshotOf(bare, anonymous, { ...site, adresse: null, telephone: null }, [])
    expect(snapshot).not.toContain('null')
    expect(JSON.parse(snapshot)).not.toHaveProperty('poseur_assigne')
    expect(canonical(JSON.parse(snapshot))).toBe(snapshot)
  })

  it('has the client’s place as the address if there is no other', () => {
    const lieu = { ...nowhere, ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon', acces: 'Code 4711' }
    const told = (adresse: string | null) => JSON.parse(snapshotOf(closed, account, { ...site, adresse, lieu })).client
    expect(told(null)).toMatchObject({ adresse: '12 quai Tilsitt, 69002 Lyon' })
    expect(told('Chez le voisin')).toMatchObject({ adresse: 'Chez le voisin' })
  })
})

function recorded({ account_id, id, reference, date_cloture }: ClosedCase, snapshot: string) {
  return { account: account_id, case_id: id, reference, date: date_cloture, snapshot }
}

/** A chain of three closes. */
function chain(): { entry: EvidenceEntry; snapshot: string }[] {
  const links: { entry: EvidenceEntry; snapshot: string }[] = []
  for (const id of [41, 42, 43]) {
    const next = { ...closed, id, reference: `SAV-2026-000${id}` }
    const snapshot = snapshotOf(next, account, site)
    links.push({ entry: nextEntry(links.at(-1)?.entry ?? null, recorded(next, snapshot)), snapshot })
  }
  return links
}

/** The last entry of the chain, and the one before it. */
function lastTwo() {
  const [, previous, last] = chain()
  if (previous === undefined || last === undefined) throw new Error('the chain has three entries')
  return { previous: previous.entry, ...last }
}

describe('an entry of the chain', () => {
  it('counts from 1, has hashes that anyone can recompute, and is valid', () => {
    let hash_precedent = '0'.repeat(64)
    let previous: EvidenceEntry | null = null
    for (const [index, { entry, snapshot }] of chain().entries()) {
      const { reference, hash_dossier } = entry
      const sequence = index + 1
      const date = closed.date_cloture
      const link = { version: 1, account: 'default', sequence, reference, date, hash_dossier, hash_precedent }
      expect(hash_dossier).toBe(sha256(snapshot))
      expect(entry).toEqual({ ...link, case_id: 40 + sequence, hash_entree: sha256(canonical(link)) })
      expect(faultsOf(entry, previous, snapshot)).toEqual([])
      hash_precedent = entry.hash_entree
      previous = entry
    }
  })

  it.each<[keyof EvidenceEntry, unknown]>([
    ['version', 2],
    ['account', 'other'],
    ['sequence', 4],
    ['sequence', 2],
    ['case_id', 44],
    ['reference', 'SAV-2026-00044'],
    ['date', '2026-01-16T09:00:00.001Z'],
    ['hash_dossier', digest('e')],
    ['hash_precedent', digest('e')],
    ['hash_entree', digest('e')],
  ])('with a changed %s (%s) has a fault', (field, value) => {
    const { entry, previous, snapshot } = lastTwo()
    const changed: EvidenceEntry = { ...entry, [field]: value }
    expect(faultsOf(changed, previous, snapshot)).not.toEqual([])
  })

  it('has a fault if any character of its snapshot changed', () => {
    const { entry, previous, snapshot } = lastTwo()
    for (let at = 0; at < snapshot.length; at += 1) {
      const changed = `${snapshot.slice(0, at)}${snapshot[at] === 'x' ? 'y' : 'x'}${snapshot.slice(at + 1)}`
      expect(faultsOf(entry, previous, changed)).not.toEqual([])
    }
    expect(faultsOf(entry, previous, `${snapshot}\n`)).not.toEqual([])
    expect(faultsOf(entry, previous, '')).not.toEqual([])
  })

  it('without its snapshot has a fault', () => {
    const { entry, previous } = lastTwo()
    expect(faultsOf(entry, previous, null)).toEqual([expect.stringMatching(/snapshot.*missing/)])
  })

  it('after a gap, or after the wrong entry, has a fault', () => {
    const [first, , third] = chain()
    if (first === undefined || third === undefined) throw new Error('the chain has three entries')
    expect(faultsOf(third.entry, first.entry, third.snapshot)).not.toEqual([])
    expect(faultsOf(third.entry, null, third.snapshot)).not.toEqual([])
    expect(faultsOf(first.entry, third.entry, first.snapshot)).not.toEqual([])
  })

  it('rewritten for a changed snapshot no longer matches the next entry', () => {
    const { entry, previous, snapshot } = lastTwo()
    const forgedCase = { ...closed, id: 42, reference: 'SAV-2026-00042', resolution: 'Autre chose.' }
    const forged = {
      ...previous,
      ...nextEntry(chain()[0]?.entry ?? null, recorded(forgedCase, snapshotOf(forgedCase, account, site))),
    }
    expect(faultsOf(entry, forged, snapshot)).not.toEqual([])
  })
})
