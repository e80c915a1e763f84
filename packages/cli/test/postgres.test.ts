import { describe, expect, it } from 'vitest'
import { receiverOf } from './receiver.js'
import { emptyDatabase, migratedStore } from './stores.js'
import { local, readyWorkplace, workplace } from './workplace.js'

/** The settings of a shop on PostgreSQL, with an empty database or one that has the schema. */
const onPostgres = async (database = emptyDatabase) => ({ SAV_DATABASE: await database() })

describe('on PostgreSQL', () => {
  it('an empty database needs `sav init` first, but a service completes a schema without rows', async () => {
    const shop = await workplace(await onPostgres())
    for (const command of ['serve --port 0', 'serve --port 0 --no-worker', 'serve --port 0 --no-init'])
      await shop.fails(command, 5, /^There is no store at postgres:.*: run `sav init` first, .*\n$/)
    for (const command of ['worker', 'cases list', 'doctor', 'migrate'])
      expect(JSON.stringify(await shop.sav(command))).toMatch(/There is no store at .*run `sav init` first/)
    const begun = await workplace({ SAV_DATABASE: await migratedStore() })
    expect(await begun.json('migrate')).toEqual({ migrations: [] })
    await begun.serveHere()
    expect(await begun.json('accounts list')).toMatchObject([{ id: 'default' }])
  })

  it('a service migrates by itself with SAV_AUTO_MIGRATE', async () => {
    const shop = await workplace({ ...(await onPostgres()), SAV_AUTO_MIGRATE: '1' })
    await shop.serveHere()
    expect(await shop.json('doctor')).toMatchObject({ pending_migrations: 0, problems: [] })
  })

  it('several `sav init` at the same time migrate the database once', async () => {
    const shop = await workplace(await onPostgres())
    const ran = await Promise.all([1, 2, 3].map(() => shop.start('init --json').ended()))
    expect(ran.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ran.map(() => ({ code: 0, stderr: '' })))
    const made = ran.map(({ stdout }) => JSON.parse(stdout).migrations.length)
    expect(made.filter((count) => count > 0)).toHaveLength(1)
  })

  it('of two machines that make the same new store with different keys, one is refused', async () => {
    const settings = await onPostgres(migratedStore)
    const places = await Promise.all([workplace(settings), workplace(settings)])
    const ran = await Promise.all(places.map((shop) => shop.start('init').ended()))
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(ran.map(({ stderr }) => stderr).join('')).toMatch(
      /made with the secret key [0-9a-f]{16}, and .* (holds|is missing).*copy it from a machine/,
    )
  })

  it('sav doctor shows version, durability and the difference of the clocks', async () => {
    const shop = await readyWorkplace(await onPostgres(migratedStore))
    const found = await shop.json<{ clock_difference_ms: number; database: string }>('doctor')
    expect(found).toMatchObject({
      ok: true,
      postgres: expect.stringMatching(/^\d+/),
      fsync: 'on',
      synchronous_commit: 'on',
      pending_migrations: 0,
      secret_key: 'ok',
      oldest_due_at: null,
      email: 'not configured',
      problems: [],
      warnings: [],
    })
    expect(Math.abs(found.clock_difference_ms)).toBeLessThan(1000)
    expect(found.database).toMatch(/^postgres:\/\/\*\*\*@/)
  })

  it('no message contains the password of the URL', async () => {
    const { SAV_DATABASE } = await onPostgres()
    const away = new URL(SAV_DATABASE)
    away.password = 'hunter2'
    away.port = '1'
    const missing = new URL(SAV_DATABASE)
    missing.pathname = '/nowhere'
    for (const url of [away.href, missing.href]) {
      const shop = await workplace({ SAV_DATABASE: url })
      const onStore = ['serve --port 0', 'cases list', 'init', 'migrate', 'cases list --json']
      for (const command of [...onStore, 'doctor', 'doctor --json']) {
        const { code, stdout, stderr } = await shop.sav(command)
        expect([command, code]).toEqual([command, command.startsWith('doctor') ? 1 : 5])
        expect(stdout + stderr).toMatch(/The database (cannot be reached|does not exist)/)
        expect(stdout + stderr).not.toMatch(new RegExp(`hunter2|:${new URL(url).password}@`))
        // There must be no stack trace, neither plain nor within a line of JSON.
        expect(stdout + stderr).not.toMatch(/(^|\\n)\s+at /m)
      }
    }
  })

  it('a delivery of the CLI is sent by a worker on another machine, with or without LISTEN', async () => {
    const settings = await onPostgres(migratedStore)
    const shop = await readyWorkplace(settings)
    const atelier = await receiverOf(shop)
    for (const [sent, direct] of [settings.SAV_DATABASE, 'none'].entries()) {
      const worker = shop.start('worker', { ...local, SAV_DATABASE_DIRECT: direct })
      await worker.prints(/"delivering"/, 'stderr')
      await shop.newCase('Une porte à ravoir')
      await atelier.received(sent + 1)
      await worker.kill('SIGTERM')
    }
  })
})
