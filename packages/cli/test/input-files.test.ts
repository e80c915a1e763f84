import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readyWorkplace } from './workplace.js'

const mostBytes = 16 << 20
const capture = ['webhooks', 'verify', '--secret', `whsec_${'A'.repeat(43)}=`]
const row = {
  id_externe: 'S1',
  client_id: 1,
  description: 'La porte ne ferme plus.',
  statut: 'ouvert',
  photos: ['large'],
}

it.each([
  ['--photo', ['cases', 'create', '--client-id', '1', '--description', row.description, '--photo', 'large']],
  ['--logo', ['accounts', 'update', 'default', '--logo', 'large']],
  ['photos', ['import', 'cases.ndjson', '--type', 'cases']],
  ['--mapping', ['import', 'cases.ndjson', '--type', 'cases', '--mapping', 'large']],
  ['<file>', ['webhooks', 'import', 'large']],
  ['--file', ['planning', 'hours', '1', '--file', 'large']],
  ['--file', ['planning', 'absences', '1', '--file', 'large']],
  ['', [...capture, 'large']],
])('a file that is read as a whole may be up to 16 MiB long: %s of %j', async (named, command) => {
  const shop = await readyWorkplace()
  await shop.write('cases.ndjson', JSON.stringify({ ...row, date_creation: '2026-01-15' }))
  await shop.write('large', '')
  const said = async (bytes: number) => {
    await truncate(join(shop.dir, 'large'), bytes)
    const { code, stdout, stderr } = await shop.sav(command)
    return [code === 0, `${stdout}${stderr}`.includes(`${named} large: it has more than 16 MiB.`.trim())]
  }
  expect([await said(mostBytes), await said(mostBytes + 1)]).toEqual([
    [false, false],
    [false, true],
  ])
})

it('standard input may be up to 16 MiB long', async () => {
  const shop = await readyWorkplace()
  const said = async (bytes: number) => (await shop.sav([...capture, '-'], {}, { input: ' '.repeat(bytes) })).stderr
  expect(await said(mostBytes)).not.toContain('MiB')
  expect(await said(mostBytes + 1)).toBe('-: it has more than 16 MiB.\n')
})
