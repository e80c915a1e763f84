import { expect, it } from 'vitest'
import { createProgram } from '../src/program.js'
import { commandsOf, neededBy } from './typed.js'
import { call, local, readyWorkplace } from './workplace.js'

/** The beginning of an id or of a reference, where a table has cut it. */
const cutId = /(?:\b[a-z]{2,5}_[A-Za-z0-9_-]+|\bSAV-[\d-]+)…/

const declared = commandsOf(createProgram({ stdout: process.stdout } as never, async () => {}))
const lists = declared.filter(({ command }) => command.options.some(({ long }) => long === '--wide'))

it('no table cuts an id on a terminal of 80 columns', async () => {
  const shop = await readyWorkplace()
  const endpoint = ['webhooks', 'add', 'http://127.0.0.1:9/receivers/of-the-shop/after-sales', '--all-events']
  const { id } = await shop.json<{ id: string }>(endpoint, local)
  await shop.json(['poseurs', 'add', '--nom', 'Karim Benali'])
  await shop.json(['users', 'add', '--nom', 'Claire Petit', '--email', 'claire.petit@example.com', '--role', 'gestion'])
  await shop.json(['keys', 'create', '--name', 'the site of the shop', '--permissions', 'sav:read,sav:write'])
  for (const n of [1, 2, 3])
    await shop.json([
      'cases',
      'create',
      '--client-id',
      '1',
      '--description',
      `La porte du four ${n} ne ferme plus du tout`,
    ])
  await shop.json([
    'planning',
    'book',
    '--poseur-id',
    '1',
    '--debut',
    '2036-12-02T09:00',
    '--duree',
    '90',
    '--sav-id',
    '1',
  ])
  const key = await shop.newKey()
  const [service, receiver] = [await shop.serveHere(), 'a description that takes all the room that there is']
  await call(service.url, key, 'POST', '/api/v1/sav', { client_id: 1, description: receiver })
  await expect
    .poll(() => shop.json(['webhooks', 'history']))
    .toContainEqual(expect.objectContaining({ attempt_count: 1 }))
  await service.stop()
  await shop.json(['webhooks', 'disable', id])
  const cut: string[] = []
  let ids = 0
  for (const each of lists) {
    const { args, options } = neededBy(each)
    const argv = [...each.words, ...args, ...Object.entries(options).flat()]
    const { stdout } = await shop.sav(argv, { TERM: 'dumb' }, { columns: 80, stopAtOnce: true })
    if (/\b[a-z]{2,5}_[A-Za-z0-9]{8}|SAV-\d{4}-\d{5}/.test(stdout)) ids += 1
    const line = stdout.split('\n').find((text) => cutId.test(text))
    if (line !== undefined) cut.push(`${each.words.join(' ')}: ${line}`)
  }
  expect(cut).toEqual([])
  expect(ids).toBeGreaterThan(6)
})
