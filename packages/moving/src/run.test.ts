import { describe, expect, it } from 'vitest'
import { closed, durand, open, opened, problemsOf } from '../test/open-import.js'
import type { ImportInput } from './importing.js'
import { beginImport } from './run.js'

type Rows = ImportInput['rows'][number]

/** The same inputs, tried in one run and then imported in another. */
async function triedAndDone(inputs: readonly (readonly [ImportInput['type'], ...Rows[]])[]) {
  const shop = await opened()
  const { sav, actor } = shop
  const [trial, real] = [beginImport(), beginImport()]
  const tried: unknown[] = []
  for (const [type, ...rows] of inputs)
    tried.push((await sav.imports.tried(actor, { type, rows, run: trial })).map(problemsOf))
  const untouched = (await sav.directory.clients.list('default', {})).total
  const done: unknown[] = []
  for (const [type, ...rows] of inputs)
    done.push((await sav.imports.rows(actor, { type, rows, run: real })).map(problemsOf))
  return { tried, done, untouched, ...shop }
}

describe('a trial', () => {
  it('predicts the outcome of an import of several files, and writes nothing', async () => {
    const byEmail = {
      ...open,
      id_externe: 'K4',
      reference_origine: 'TK4',
      client_id_externe: '',
      client_email: durand.email,
    }
    const visit = { reference_origine: open.reference_origine, poseur: 'Karim', debut: '03/04/2031 09:00' }
    const { tried, done, untouched } = await triedAndDone([
      ['clients', durand],
      [
        'clients',
        { ...durand, id_externe: 'T2', email: 'twice@x.example' },
        { nom: 'Petit', email: 'twice@x.example' },
      ],
      ['cases', open, byEmail, closed, { ...byEmail, id_externe: 'K5', client_email: 'twice@x.example' }],
      ['visits', visit],
      ['visits', { ...visit, debut: '03/04/2031 09:30' }, { ...visit, debut: '03/04/2031 10:00' }],
      ['visits', { ...visit, reference_origine: 'TK9' }, { ...visit, reference_origine: closed.reference_origine }],
    ])
    expect(untouched).toBe(1)
    expect(done).toEqual([
      ['created'],
      ['created', 'created'],
      ['created', 'created', 'created', expect.stringMatching(/several clients have/)],
      ['created'],
      [expect.stringMatching(/Karim is not free/), 'created'],
      [expect.stringMatching(/TK9/), expect.stringMatching(/is closed/)],
    ])
    // Ids and numbers are assigned when rows are written.
    const withoutIds = (outcomes: unknown) => JSON.stringify(outcomes).replaceAll(/, \d+(?=[;)])|SAV-\d+-\d+/g, '')
    expect(withoutIds(tried)).toBe(withoutIds(done))
  })

  it('reports fields that no import changes', async () => {
    const { sav, actor, load, caseOf } = await opened()
    await load('clients', durand)
    await load('cases', open)
    const run = beginImport()
    const rows = [
      { ...open, description: 'Autre.' },
      { ...open, id_externe: 'K7', poseur: 'Lucie' },
    ]
    const tried = await sav.imports.tried(actor, { type: 'cases', rows, run })
    expect(tried.map(problemsOf)).toEqual([expect.stringMatching(/^kept; description stays/), 'created'])
    const changed = await sav.imports.tried(actor, { type: 'clients', rows: [{ ...durand, ville: 'Givors' }], run })
    expect(changed.map(problemsOf)).toEqual(['updated'])
    expect((await caseOf('TK2403-0013')).client).toMatchObject({ nom: durand.nom })
    expect((await sav.directory.poseurs.list('default', {})).items.map(({ nom }) => nom)).not.toContain('Lucie')
  })
})

it('a trial and an import refuse an id that an earlier row has with other values', async () => {
  const other = { ...durand, ville: 'Givors' }
  const { tried, done, load } = await triedAndDone([
    ['clients', durand],
    ['clients', durand, other],
  ])
  for (const outcomes of [tried, done])
    expect(outcomes).toEqual([['created'], ['unchanged', expect.stringMatching(/is already in an earlier row/)]])
  expect(await load('clients', other)).toEqual(['updated'])
})
