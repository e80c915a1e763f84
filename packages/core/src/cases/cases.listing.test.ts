import { expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { openSav } from '../../test/open-sav.js'
import { ConflictError } from '../errors.js'
import { rowsAtOnce } from '../running/steps.js'
import { businessCalendar } from '../time/time.js'
import { caseQueries } from './cases.js'
import { maxExported } from './inputs.js'

const dayMs = 86_400_000

async function stepsOf<T>(steps: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const step of steps) all.push(step)
  return all
}

/** Three cases: created 30, 7 and 0 days ago, the oldest of them closed. */
async function openShop() {
  const opened = await openSav()
  const { sav, actor, clock } = opened
  const lieu = { ligne1: '3 quai de Saône', code_postal: '69700', ville: 'Givors' }
  const { id: client_id } = await sav.directory.clients.add(actor, {
    ...{ nom: 'Garnier', prenom: 'Alice', telephone: '04 72 00 00 01', lieu },
  })
  const create = async (of = opened.client.id) =>
    (await sav.cases.create(actor, { client_id: of, description: 'Fuite sous l’évier, à Givors ou à Lyon.' })).id
  const oldest = await create(client_id)
  await sav.cases.close(actor, oldest, { resolution: 'Joint remplacé.' })
  await clock.advance(23 * dayMs)
  const middle = await create()
  await clock.advance(7 * dayMs - 1)
  const young = (await sav.cases.list('default', { age_max: 7 })).items.map(({ id }) => id)
  await clock.advance(1)
  const newest = await create()
  const list = async (input: Parameters<typeof sav.cases.list>[1]) =>
    (await sav.cases.list('default', input)).items.map(({ id }) => id)
  return { ...opened, list, young, oldest, middle, newest }
}

it('a list is filtered by age, to the millisecond', async () => {
  const { list, young, oldest, middle, newest } = await openShop()
  expect(young).toEqual([middle])
  expect(await list({ age_max: 7 })).toEqual([newest])
  expect(await list({ age_min: 7 })).toEqual([middle, oldest])
  expect(await list({ age_min: 7, age_max: 30 })).toEqual([middle])
  expect(await list({ age_min: 30 })).toEqual([oldest])
  expect(await list({ age_min: 0, statut: 'non_clos' })).toEqual([newest, middle])
})

it('a list is filtered by the last day, the town and the telephone of the client', async () => {
  const { sav, list, oldest, middle, newest } = await openShop()
  const created = (await sav.cases.get('default', middle)).date_creation.slice(0, 10)
  expect(await list({ jusque: created })).toEqual([middle, oldest])
  expect(await list({ depuis: created, jusque: created })).toEqual([middle])
  expect(await list({ ville: 'givors' })).toEqual([oldest])
  expect(await list({ ville: 'lyon' })).toEqual([])
  expect(await list({ telephone: '+33 4 72' })).toEqual([oldest])
  expect(await list({ ville: 'Givors', recherche: 'fuites' })).toEqual([oldest])
  expect(await list({ tri: 'date_creation' })).toEqual([oldest, middle, newest])
})

it('a filtered list is exported in its order, up to a limit', async () => {
  const { sav, oldest, middle, newest } = await openShop()
  const rows = (await stepsOf(await sav.cases.export('default', { tri: 'client' }))).flat()
  expect(rows.map(({ id }) => id).toSorted()).toEqual([oldest, middle, newest].toSorted())
  expect(rows.find(({ id }) => id === oldest)).toMatchObject({ telephone: '04 72 00 00 01', ville: 'Givors' })
  const [row] = rows
  if (row === undefined) throw new Error('nothing was exported')
  const storage = await memoryStorage()
  const exporting = async (count: number) => {
    const ids = async () => Array.from({ length: count }, (_, id) => id)
    const read = async (_: string, step: readonly number[]) => step.map((id) => ({ ...row, id }))
    const reads = { ...storage.reads, cases: { ...storage.reads.cases, ids, rows: read } }
    return caseQueries({ reads, clock: { now: () => 0 }, calendar: businessCalendar('Europe/Paris') }).export(
      'default',
      {},
    )
  }
  const steps = await stepsOf(await exporting(maxExported))
  expect(steps.flat()).toHaveLength(maxExported)
  expect(Math.max(...steps.map((step) => step.length))).toBe(rowsAtOnce)
  await expect(exporting(maxExported + 1)).rejects.toThrow(ConflictError)
})
