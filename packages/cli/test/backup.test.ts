import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { noteMissing } from '../../../test/needs.js'
import { receiverOf } from './receiver.js'
import { emptyDatabase, migratedStore } from './stores.js'
import { call, readyWorkplace, type Workplace } from './workplace.js'

const run = promisify(execFile)

/** A running service that has delivered two events, of a creation and of a close. */
async function runningShop(settings: Readonly<Record<string, string>> = {}) {
  const shop = await readyWorkplace(settings)
  const key = await shop.newKey()
  const atelier = await receiverOf(shop)
  const service = shop.serve()
  const url = await service.url()
  await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'Une porte à régler' })
  await call(url, key, 'POST', '/api/v1/sav/1/cloturer', { resolution: 'Charnière remplacée' })
  await atelier.received(2)
  await expect.poll(() => shop.json(['webhooks', 'history', '--state', 'delivered'])).toHaveLength(2)
  return { shop, service, atelier }
}

/** The restored store verifies, and what goes out of it is only what had not been delivered. */
async function expectRestored(
  { shop, atelier }: { readonly shop: Workplace; readonly atelier: Awaited<ReturnType<typeof receiverOf>> },
  restored: Readonly<Record<string, string>>,
): Promise<void> {
  expect(await shop.json(['evidence', 'verify'], restored)).toEqual({
    checked: 1,
    broken: [],
  })
  expect(await shop.json(['doctor'], restored)).toMatchObject({ secret_key: 'ok', problems: [] })
  const service = await shop.serveHere(restored)
  await shop.json(['cases', 'create', '--client-id', '1', '--description', 'La première après le retour'], restored)
  const events = await atelier.received(3)
  await service.stop()
  expect(events.map(({ event }) => event)).toEqual(['sav.created', 'sav.closed', 'sav.created'])
}

it('a copy of SQLite made while the service runs is restored with its key beside it', async () => {
  const { shop, service, atelier } = await runningShop()
  await mkdir(join(shop.dir, 'backup'))
  const database = new DatabaseSync(join(shop.dir, 'sav-data/sav.db'))
  database.prepare('vacuum into ?').run(join(shop.dir, 'backup/sav.db'))
  database.close()
  await copyFile(join(shop.dir, 'sav-data/secret.key'), join(shop.dir, 'backup/secret.key'))
  await service.kill('SIGKILL')
  await expectRestored({ shop, atelier }, { SAV_DATABASE: 'sqlite:backup/sav.db' })
})

/** Resolves to where the programs lie that could: of the PATH, or of one of Debian's versions; null: all are older than the server. */
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

it('a PostgreSQL is restored from a dump that was made while the service runs', async ({ skip }) => {
  const url = await migratedStore()
  const target = await emptyDatabase()
  const programs = await dumping(url)
  if (programs === null) {
    noteMissing('pg_dump', 'a restored dump of PostgreSQL')
    return skip('No pg_dump is there that is not older than the server.')
  }
  const { shop, service, atelier } = await runningShop({ SAV_DATABASE: url })
  const file = join(shop.dir, 'sav.dump')
  await run(`${programs}pg_dump`, ['--format=custom', `--file=${file}`, url])
  await run(`${programs}pg_restore`, ['--no-owner', '--exit-on-error', `--dbname=${target}`, file])
  await service.kill('SIGKILL')
  await expectRestored({ shop, atelier }, { SAV_DATABASE: target })
})
