import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createSav } from '@sav/http-node'
import { openPostgres } from '@sav/storage-kysely/postgres'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { expect, it } from 'vitest'
import { emptyDatabase } from './stores.js'
import { workplace } from './workplace.js'

const actor = { account_id: 'default', type: 'utilisateur', id: 'zoe', nom: 'Zoé' } as const

/** A store that a program without features made, beside the program's own tables or alone in a database. */
async function programStore(kind: 'sqlite' | 'postgres', place: 'beside' | 'alone') {
  const shop = await workplace()
  const file = join(shop.dir, 'program.db')
  const url = kind === 'sqlite' ? `sqlite:${file}` : await emptyDatabase()
  const isBeside = place === 'beside'
  const open = () =>
    kind === 'sqlite'
      ? openSqlite(file, { prefix: isBeside ? 'sav_' : '' })
      : openPostgres(url, { schema: isBeside ? 'sav' : 'public' })
  const secretKey = randomBytes(32)
  const storage = await open()
  await storage.migrate()
  const sav = createSav({ storage, secretKey, sends: false })
  await sav.start()
  for (const nom of ['Durand', 'Martin']) await sav.directory.clients.add(actor, { nom, prenom: 'Zoé' })
  await sav.cases.create(actor, { client_id: 1, description: 'La porte du four ne ferme plus' })
  await sav.close()

  const env = { SAV_SECRET_KEY: secretKey.toString('base64') }
  const beside = kind === 'sqlite' ? ['--prefix', 'sav_'] : ['--schema', 'sav']
  const flags = ['--database', url, ...(isBeside ? beside : [])]
  const run = async (...command: string[]) => {
    const { code, stdout, stderr } = await shop.sav(command, env)
    expect([command, code, stderr]).toEqual([command, 0, expect.any(String)])
    return stdout
  }
  return { shop, url, flags, env, storage, run }
}

it.each([
  ['sqlite', 'beside'],
  ['sqlite', 'alone'],
  ['postgres', 'beside'],
] as const)(
  'no command adds tables of features to the store of a program without them: %s, %s',
  async (kind, place) => {
    const { shop, url, flags, env, storage, run } = await programStore(kind, place)
    await run('doctor', ...flags)
    await run('backup', '--to', 'backup.db', ...flags)
    for (const command of [
      ...['clients erase 2 --yes', 'clients erasures', 'cases list', 'cases show 1'],
      ...['cases comment 1 --texte Commandé', 'cases close 1 --resolution Charnière-remplacée'],
      ...['cases reopen 1 --motif Elle-grince-encore', 'poseurs add --nom Luc', 'accounts add lyon'],
      ...['keys create --name k --permissions sav:read', 'webhooks history', 'evidence verify', 'audit list'],
      'webhooks add https://shop.example/hooks --events sav.closed',
    ])
      await run(...command.split(' '), ...flags)
    expect(await storage.featuresHeld()).toEqual([])
    if (place === 'alone') await run('copy', '--from', url, '--to', 'sqlite:copy.db')
    for (const command of ['planning week', 'cases todo', 'users list', 'export -o out'])
      await shop.fails([...command.split(' '), ...flags], 5, /no tables of \w+: `sav migrate` makes/, env)

    const again = kind === 'sqlite' ? `sqlite:${join(shop.dir, 'again.db')}` : await emptyDatabase()
    const erased = place === 'alone' ? url : 'erasures.json'
    await shop.write('erasures.json', await run('clients', 'erasures', '--json', ...flags))
    await run('restore', 'backup.db', '--to', again, '--erasures', erased)
    const restored = kind === 'sqlite' ? await openSqlite(join(shop.dir, 'again.db')) : await openPostgres(again)
    expect(await restored.featuresHeld()).toEqual([])
    expect(await restored.reads.directory.findClient('default', 2)).toMatchObject({ nom: '(effacé)' })
    await Promise.all([storage.close(), restored.close()])
  },
)
