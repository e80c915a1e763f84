import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import {
  closeCaseInput,
  commentInput,
  createCaseInput,
  listCasesInput,
  reopenCaseInput,
  updateCaseInput,
} from './inputs.js'

/** The fields that are refused, each once. */
async function refused(schema: z.ZodType, input: unknown): Promise<string[]> {
  const { error } = await schema.safeParseAsync(input)
  const named = error?.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0] ?? 'body')],
  )
  return [...new Set(named)].toSorted()
}

const letters = (length: number) => 'a'.repeat(length)

it.each<[string, [number, number], z.ZodType, (text: string) => object]>([
  ['description', [10, 2000], createCaseInput(), (description) => ({ client_id: 7, description })],
  ['notes_internes', [0, 5000], updateCaseInput(), (notes_internes) => ({ notes_internes })],
  ['resolution', [10, 4000], closeCaseInput(), (resolution) => ({ resolution })],
  ['signataire_nom', [1, 120], closeCaseInput(), (signataire_nom) => ({ resolution: letters(10), signataire_nom })],
  ['reserves', [1, 500], closeCaseInput(), (reserve) => ({ resolution: letters(10), reserves: ['Rayure.', reserve] })],
  ['texte', [1, 5000], commentInput(), (texte) => ({ texte })],
  ['motif', [10, 1000], reopenCaseInput(), (motif) => ({ motif })],
])('%s has %j characters after trimming', async (field, [min, max], schema, inputWith) => {
  for (const length of [min, max]) expect(await refused(schema, inputWith(` ${'🔧'.repeat(length)}\n`))).toEqual([])
  const beyond = [letters(max + 1), `${letters(20)}\0`, ...(min > 0 ? [`${letters(min - 1)}     `] : [])]
  for (const text of beyond) expect(await refused(schema, inputWith(text))).toEqual([field])
})

describe('creating a case', () => {
  const minimal = { client_id: 7, description: 'La porte ne ferme plus.' }

  it('takes a client and a description, and fills in the rest', () => {
    expect(createCaseInput().parse(minimal)).toEqual({
      ...minimal,
      type_probleme: 'autre',
      priorite: 'normale',
      photos: [],
    })
  })

  it.each([
    ['priorite', ['basse', 'normale', 'haute', 'urgente']],
    ['type_probleme', ['quincaillerie', 'electromenager', 'plan_travail', 'facade', 'reglage', 'autre']],
  ])('accepts every %s of the specification and no other', async (field, values) => {
    for (const value of values) expect(await refused(createCaseInput(), { ...minimal, [field]: value })).toEqual([])
    for (const value of ['', 'Haute', 'moyenne', 'façade', null, 1, ['haute']])
      expect(await refused(createCaseInput(), { ...minimal, [field]: value })).toEqual([field])
  })

  it('takes 10 photos, not 11', async () => {
    const photos = (count: number) => ({ ...minimal, photos: Array(count).fill('https://photos.example/1.jpg') })
    expect(await refused(createCaseInput(), photos(0))).toEqual([])
    expect(await refused(createCaseInput(), photos(10))).toEqual([])
    expect(await refused(createCaseInput(), photos(11))).toEqual(['photos'])
  })

  it.each([
    [null],
    ['https://photos.example/1.jpg'],
    [{}],
    [[null]],
    [[1]],
    [[{ url: 'https://photos.example/1.jpg' }]],
  ])('refuses %j as photos', async (photos) => {
    expect(await refused(createCaseInput(), { ...minimal, photos })).toEqual(['photos'])
  })

  it('names every bad field at once', async () => {
    const input = { client_id: '7', description: 'court', priorite: 'x', type_probleme: 'y', photos: 1, statut: 'clos' }
    expect(await refused(createCaseInput(), input)).toEqual(Object.keys(input).toSorted())
  })
})

describe('updating a case', () => {
  it.each([
    { statut: 'ouvert' },
    { poseur_id: null },
    { notes_internes: '' },
    { statut: 'en_cours', poseur_id: 3, notes_internes: null, priorite: 'basse', type_probleme: 'autre' },
  ])('takes %j', (input) => {
    expect(updateCaseInput().parse(input)).toEqual(input)
  })

  it.each([{}, { statut: undefined }])('with nothing to change (%j) is refused', async (input) => {
    expect(await refused(updateCaseInput(), input)).toEqual(['body'])
  })

  it.each([
    ['statut', [null, '', 'fermé', 'CLOS', 1]],
    ['poseur_id', [0, -1, 1.5, 2 ** 53, '3', true, '']],
    ['notes_internes', [1, [], {}]],
    ['priorite', [null, 'x', 1]],
    ['type_probleme', [null, 'x', 1]],
  ])('refuses a bad %s', async (field, values) => {
    for (const value of values) expect(await refused(updateCaseInput(), { [field]: value })).toEqual([field])
  })

  it.each(['description', 'client_id', 'reference', 'version', '__proto__'])('cannot change %s', async (field) => {
    const input = Object.defineProperty({ poseur_id: 3 }, field, { value: 1, enumerable: true })
    expect(await refused(updateCaseInput(), input)).toEqual([field])
  })
})

describe('closing a case', () => {
  const minimal = { resolution: 'Charnière remplacée.' }

  it('takes a resolution alone', () => {
    expect(closeCaseInput().parse(minimal)).toEqual({ ...minimal, reserves: [] })
  })

  it('needs a resolution', async () => {
    expect(await refused(closeCaseInput(), {})).toEqual(['resolution'])
    expect(await refused(closeCaseInput(), { resolution: null })).toEqual(['resolution'])
  })

  it.each(['photo_avant', 'photo_apres', 'signature_client'])(
    'takes no link as %s, only the image itself',
    async (field) => {
      expect(await refused(closeCaseInput(), { ...minimal, [field]: 'https://photos.example/1.png' })).toEqual([field])
    },
  )

  it('takes 20 reserves, not 21', async () => {
    const reserves = (count: number) => ({ ...minimal, reserves: Array(count).fill('Rayure sur la façade.') })
    expect(await refused(closeCaseInput(), reserves(20))).toEqual([])
    expect(await refused(closeCaseInput(), reserves(21))).toEqual(['reserves'])
  })

  it('names every bad field at once', async () => {
    const input = {
      resolution: 'court',
      photo_avant: 'x',
      photo_apres: 1,
      signature_client: 'x',
      signataire_nom: letters(121),
      reserves: [''],
      hash: 'x',
    }
    expect(await refused(closeCaseInput(), input)).toEqual(Object.keys(input).toSorted())
  })
})

it('reopening a case needs its motif, and takes nothing else', async () => {
  expect(await refused(reopenCaseInput(), {})).toEqual(['motif'])
  expect(await refused(reopenCaseInput(), { motif: letters(10), statut: 'ouvert' })).toEqual(['statut'])
})

describe('listing cases', () => {
  it('asks for 50 a page, the newest first, by default', () => {
    expect(listCasesInput().parse({})).toEqual({ limite: 50, tri: '-date_creation' })
  })

  it.each([
    { statut: 'clos', client_id: 7, poseur_id: 3, priorite: 'haute', type_probleme: 'facade', limite: 1, page: 1 },
    { depuis: '2026-01-15', modifie_depuis: '2026-01-15', poseur_id: 'aucun', recherche: 'porte', limite: 200 },
    { modifie_depuis: '2026-01-15T10:30:00Z', page: 1_000_000_000 },
    { modifie_depuis: '2026-01-15T10:30:00.123+02:00' },
  ])('takes %j', (input) => {
    expect(listCasesInput().parse(input)).toMatchObject(input)
  })

  it.each([
    ['limite', [0, -1, 201, 1.5, Number.NaN, '50', null]],
    ['page', [0, -1, 1.5, 1_000_000_001, '1', null]],
    ['statut', ['', 'ferme', 'Clos', null]],
    ['client_id', [0, 2 ** 53, '7', null]],
    ['poseur_id', [0, 2 ** 53, '3', 'Aucun', '', null]],
    ['depuis', ['2026-02-30', '15/01/2026', '2026-01-15T10:30:00Z', '', 20260115, null]],
    ['modifie_depuis', ['2026-02-30', '2026-01-15T10:30:00', 'hier', '2026-01-15T25:00:00Z', '', null]],
    ['recherche', ['', '   ', letters(5000), 'a\0b', '\ud800', null]],
    ['tri', ['id']],
    ['ordre', ['asc']],
    ['__proto__', [1]],
  ])('refuses a bad %s', async (field, values) => {
    for (const value of values) {
      const input = Object.defineProperty({}, field, { value, enumerable: true })
      expect(await refused(listCasesInput(), input)).toEqual([field])
    }
  })
})
