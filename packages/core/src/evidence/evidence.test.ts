import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { account as accountOf } from '../../../storage-contract/src/samples/samples.js'
import type { ClosedCase, Intervention } from '../cases/case.js'
import { type SnapshotContext, snapshotOf as snapshotIn } from '../cases/snapshot.js'
import type { Account } from '../directory/directory.js'
import { nowhere } from '../directory/lieu.js'
import { type EvidenceEntry, faultsOf, nextEntry } from './evidence.js'
import { saltedDigest } from './history-chain.js'

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

const snapshotOf = (closed: ClosedCase, account: Account, client: SnapshotContext['client']) =>
  snapshotIn(closed, { account, client, historique, held, interventions, addenda: [] })

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

/** Every value of a JSON document that is neither an object nor an array. */
function leaves(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value]
}

describe('the snapshot of a closed case', () => {
  it('is the canonical JSON of what the customer signed, and of the company', () => {
    const { account_id, notes_internes, sel_notes, tete_historique, date_modification, version, ...told } = closed
    const { raison_sociale, adresse, siret, email } = account
    const societe = { raison_sociale, adresse, siret, email }
    expect(snapshotOf(closed, account, site)).toBe(
      canonical({
        version: 1,
        account: 'default',
        societe,
        ...told,
        client: { ...told.client, adresse: site.adresse, telephone: site.telephone },
        historique,
        notes_internes: sha256(`${sel_notes}${notes_internes}`),
        // Those that the close names alone, in their order.
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
    const anonymous = { ...account, raison_sociale: null, adresse: null, siret: null, email: null }
    const snapshot = snapshotOf(bare, anonymous, { ...site, adresse: null, telephone: null })
    expect(snapshot).not.toContain('null')
    expect(JSON.parse(snapshot)).not.toHaveProperty('poseur_assigne')
    expect(canonical(JSON.parse(snapshot))).toBe(snapshot)
  })

  it('has only integers and strings', () => {
    for (const value of leaves(JSON.parse(snapshotOf(closed, account, site))))
      expect(typeof value === 'string' || Number.isSafeInteger(value)).toBe(true)
  })

  it.each<[string, Partial<ClosedCase>]>([
    ['account', { account_id: 'other' }],
    ['id', { id: 42 }],
    ['reference', { reference: 'SAV-2026-00042' }],
    ['client', { client: { id: 8, nom: 'Durand', prenom: 'Zoé' } }],
    ["client's nom", { client: { id: 7, nom: 'Durant', prenom: 'Zoé' } }],
    ["client's prenom", { client: { id: 7, nom: 'Durand', prenom: 'Zoe' } }],
    ['description', { description: `${closed.description} ` }],
    ['priorite', { priorite: 'basse' }],
    ['type_probleme', { type_probleme: 'autre' }],
    ['photos', { photos: [{ sha256: digest('a') }] }],
    ['order of photos', { photos: closed.photos.toReversed() }],
    ['poseur', { poseur_assigne: null }],
    ['date_creation', { date_creation: '2026-01-15T10:30:00.001Z' }],
    ['date_cloture', { date_cloture: '2026-01-16T09:00:00.001Z' }],
    ['resolution', { resolution: 'Facade remplacée.' }],
    ['photo_avant', { photo_avant: digest('e') }],
    ['photo_apres', { photo_apres: null }],
    ['signature_client', { signature_client: digest('e') }],
    ['signataire_nom', { signataire_nom: 'Z. Durant' }],
    ['reserves', { reserves: ['Teinte légèrement plus claire.'] }],
    ['order of reserves', { reserves: closed.reserves.toReversed() }],
  ])('changes with the %s', (_, change) => {
    expect(snapshotOf({ ...closed, ...change }, account, site)).not.toBe(snapshotOf(closed, account, site))
  })

  it.each(['raison_sociale', 'adresse', 'siret', 'email', 'telephone', 'assureur', 'mediateur', 'logo'])(
    'changes with the %s of the company',
    (field) => {
      expect(snapshotOf(closed, { ...account, [field]: 'x' }, site)).not.toBe(snapshotOf(closed, account, site))
    },
  )

  it('changes with the address and the telephone of the customer', () => {
    for (const change of [{ adresse: 'x' }, { telephone: 'x' }])
      expect(snapshotOf(closed, account, { ...site, ...change })).not.toBe(snapshotOf(closed, account, site))
  })

  it('has the place if there is no address', () => {
    const lieu = { ...nowhere, ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon', acces: 'Code 4711' }
    const told = (adresse: string | null) => JSON.parse(snapshotOf(closed, account, { ...site, adresse, lieu })).client
    expect(told(null)).toMatchObject({ adresse: '12 quai Tilsitt, 69002 Lyon' })
    expect(told('Chez le voisin')).toMatchObject({ adresse: 'Chez le voisin' })
  })

  it('changes with the internal notes, and does not reveal them', () => {
    const snapshot = snapshotOf(closed, account, site)
    expect(snapshotOf({ ...closed, notes_internes: 'Rappelé.' }, account, site)).not.toBe(snapshot)
    expect(snapshot).not.toContain('pressé')
    expect(snapshot).not.toContain(closed.sel_notes)
    expect(JSON.parse(snapshot).notes_internes).toBe(saltedDigest(closed.sel_notes ?? '', 'Client pressé.'))
  })

  it('changes with the history, and with the type of a file', () => {
    const snapshot = snapshotOf(closed, account, site)
    const told = { account, client: site, historique, held, interventions, addenda: [] }
    for (const change of [
      { historique: { ...historique, numero: 6 } },
      { historique: { ...historique, hash: digest('8') } },
      { interventions: [visit] },
      { addenda: [addendum] },
      {
        held: held.map((file) => ({
          ...file,
          media_type: file.sha256 === digest('b') ? 'text/html' : file.media_type,
        })),
      },
    ])
      expect(snapshotIn(closed, { ...told, ...change })).not.toBe(snapshot)
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
  it('begins with 64 zeros and counts from 1', () => {
    expect(chain().map(({ entry }) => entry.sequence)).toEqual([1, 2, 3])
    expect(chain()[0]?.entry.hash_precedent).toBe('0'.repeat(64))
  })

  it('has hashes that anyone can recompute', () => {
    let hash_precedent = '0'.repeat(64)
    for (const { entry, snapshot } of chain()) {
      const { sequence, reference, hash_dossier } = entry
      const link = {
        version: 1,
        account: 'default',
        sequence,
        reference,
        date: closed.date_cloture,
        hash_dossier,
        hash_precedent,
      }
      expect(hash_dossier).toBe(sha256(snapshot))
      expect(entry).toEqual({ ...link, case_id: 40 + sequence, hash_entree: sha256(canonical(link)) })
      hash_precedent = entry.hash_entree
    }
  })

  it('is valid if nothing changed', () => {
    let previous: EvidenceEntry | null = null
    for (const { entry, snapshot } of chain()) {
      expect(faultsOf(entry, previous, snapshot)).toEqual([])
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

  it('rewritten for a changed snapshot breaks the next one', () => {
    const { entry, previous, snapshot } = lastTwo()
    const forgedCase = { ...closed, id: 42, reference: 'SAV-2026-00042', resolution: 'Autre chose.' }
    const forged = {
      ...previous,
      ...nextEntry(chain()[0]?.entry ?? null, recorded(forgedCase, snapshotOf(forgedCase, account, site))),
    }
    expect(faultsOf(entry, forged, snapshot)).not.toEqual([])
  })
})
