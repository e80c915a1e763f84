import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { noteMissing } from '../../../test/needs.js'
import { receiverOf } from './receiver.js'
import { emptyDatabase, migratedStore } from './stores.js'
import { call, readyWorkplace } from './workplace.js'

const run = promisify(execFile)

/** The directory of a pg_dump at least as new as the server: '' for the PATH, or Debian's. Null if there is none. */
async function dumping(url: string): Promise<string | null> {
  const debian = '/usr/lib/postgresql'
  const versions = await readdir(debian).catch(() => [])
  for (const programs of ['', ...versions.map((version) => `${debian}/${version}/bin/`)]) {
    const isDone = await run(`${programs}pg_dump`, ['--format=custom', '--file=/dev/null', url]).then(
      () => true,
      () => false,
    )
    if (isDone) return programs
  }
  return null
}

it('a store on PostgreSQL can be restored from a dump that was made while the service ran', async ({ skip }) => {
  const url = await migratedStore()
  const target = await emptyDatabase()
  const programs = await dumping(url)
  if (programs === null) {
    noteMissing('pg_dump', 'a restored dump of PostgreSQL')
    return skip('Every pg_dump is older than the server.')
  }
  const shop = await readyWorkplace({ SAV_DATABASE: url })
  const key = await shop.newKey()
  const atelier = await receiverOf(shop)
  const service = shop.serve()
  const api = await service.url()
  await call(api, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'Une porte à régler' })
  await call(api, key, 'POST', '/api/v1/sav/1/cloturer', { resolution: 'Charnière remplacée' })
  await atelier.received(2)
  await expect.poll(() => shop.json('webhooks history --state delivered')).toHaveLength(2)
  const file = join(shop.dir, 'sav.dump')
  await run(`${programs}pg_dump`, ['--format=custom', `--file=${file}`, url])
  await run(`${programs}pg_restore`, ['--no-owner', '--exit-on-error', `--dbname=${target}`, file])
  await service.kill('SIGKILL')

  const restored = { SAV_DATABASE: target }
  expect(await shop.json('evidence verify', restored)).toEqual({ checked: 1, broken: [] })
  expect(await shop.json('doctor', restored)).toMatchObject({ secret_key: 'ok', problems: [] })
  await shop.serveHere(restored)
  await shop.json("cases create --client-id 1 --description 'La première après le retour'", restored)
  // What was delivered before the dump is not sent again.
  const events = await atelier.received(3)
  expect(events.map(({ event }) => event)).toEqual(['sav.created', 'sav.closed', 'sav.created'])
})
