import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { receiver } from './receiver.js'
import { emptyDatabase, migratedStore } from './stores.js'
import { call, local, readyWorkplace, workplace } from './workplace.js'

/** Where a shop on PostgreSQL keeps its store: an empty database, or one whose schema is there. */
const onPostgres = async (database = emptyDatabase) => ({ SAV_DATABASE: await database() })

describe('on PostgreSQL', () => {
  it('the main job is done as on SQLite', async () => {
    const shop = await readyWorkplace(await onPostgres(migratedStore))
    const key = await shop.newKey()
    const atelier = await receiver()
    const { secret } = await shop.json<{ secret: string }>(['webhooks', 'add', atelier.url, '--all-events'], local)
    atelier.trust(secret)
    const service = shop.serve()
    const url = await service.url()
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const created = await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'Une porte à régler' })
    expect(created).toMatchObject({ status: 201, body: { data: { id: 1 } } })
    const { reference } = created.body.data
    expect(await atelier.received(1)).toMatchObject([{ event: 'sav.created', data: { reference } }])
    await shop.json(['cases', 'close', reference, '--resolution', 'Charnière remplacée'])
    expect(await atelier.received(2)).toMatchObject([{}, { event: 'sav.closed', data: { sequence: 1 } }])
    await expect.poll(() => shop.json(['webhooks', 'history', '--state', 'delivered'])).toHaveLength(2)
    expect(await shop.json(['evidence', 'verify'])).toEqual({
      checked: 1,
      broken: [],
    })
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0, stdout: `listening on ${url}\n` })
  })

  it('an empty database is no store until `sav init` ran, and a service completes an empty schema', async () => {
    const shop = await workplace(await onPostgres())
    for (const command of ['serve --port 0', 'serve --port 0 --no-worker', 'serve --port 0 --no-init']) {
      const { code, stdout, stderr } = await shop.sav(command.split(' '))
      expect([code, stdout, stderr]).toEqual([
        5,
        '',
        expect.stringMatching(/^There is no store at postgres:.*: run `sav init` first, .*\n$/),
      ])
    }
    for (const command of ['worker', 'cases list', 'doctor', 'migrate'])
      expect(JSON.stringify(await shop.sav(command.split(' ')))).toMatch(/There is no store at .*run `sav init` first/)
    const begun = await workplace({ SAV_DATABASE: await migratedStore() })
    expect(await begun.json(['migrate'])).toEqual({ migrations: [] })
    await begun.serveHere()
    expect(await begun.json(['accounts', 'list'])).toMatchObject([{ id: 'default' }])
  })

  it('a service migrates by itself with SAV_AUTO_MIGRATE', async () => {
    const shop = await workplace({ ...(await onPostgres()), SAV_AUTO_MIGRATE: '1' })
    await shop.serveHere()
    expect(await shop.json(['doctor'])).toMatchObject({ pending_migrations: 0, problems: [] })
  })

  it('several `sav init` at the same moment do it once', async () => {
    const shop = await workplace(await onPostgres())
    const ran = await Promise.all([1, 2, 3].map(() => shop.start(['init', '--json']).ended()))
    expect(ran.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ran.map(() => ({ code: 0, stderr: '' })))
    const made = ran.map(({ stdout }) => JSON.parse(stdout).migrations.length)
    expect(made.filter((count) => count > 0)).toHaveLength(1)
  })

  it('machines that make the same new store with keys of their own do not get by with two', async () => {
    const settings = await onPostgres(migratedStore)
    const places = await Promise.all([workplace(settings), workplace(settings)])
    const ran = await Promise.all(places.map((shop) => shop.start(['init']).ended()))
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(ran.map(({ stderr }) => stderr).join('')).toMatch(
      /made with the secret key [0-9a-f]{16}, and .* (holds|is missing).*copy it from a machine/,
    )
  })

  it('sav doctor shows version, durability and the difference of the clocks', async () => {
    const shop = await readyWorkplace(await onPostgres(migratedStore))
    const found = await shop.json<{ clock_difference_ms: number; database: string }>(['doctor'])
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

  it('no password of the URL is in any message', async () => {
    const { SAV_DATABASE } = await onPostgres()
    const away = new URL(SAV_DATABASE)
    away.password = 'hunter2'
    away.port = '1'
    const missing = new URL(SAV_DATABASE)
    missing.pathname = '/nowhere'
    for (const url of [away.href, missing.href]) {
      const shop = await workplace({ SAV_DATABASE: url })
      for (const command of [
        'serve --port 0',
        'cases list',
        'init',
        'migrate',
        'doctor',
        'doctor --json',
        'cases list --json',
      ]) {
        const { code, stdout, stderr } = await shop.sav(command.split(' '))
        expect([command, code]).toEqual([command, command.startsWith('doctor') ? 1 : 5])
        expect(stdout + stderr).toMatch(/The database (cannot be reached|does not exist)/)
        expect(stdout + stderr).not.toMatch(new RegExp(`hunter2|:${new URL(url).password}@`))
        // A stack, as it is or within a line of JSON.
        expect(stdout + stderr).not.toMatch(/(^|\\n)\s+at /m)
      }
    }
  })

  it('an order of the CLI is sent by a worker on another machine, with or without LISTEN', async () => {
    const settings = await onPostgres(migratedStore)
    const shop = await readyWorkplace(settings)
    const atelier = await receiver()
    const { secret } = await shop.json<{ secret: string }>(['webhooks', 'add', atelier.url, '--all-events'], local)
    atelier.trust(secret)
    for (const [sent, direct] of [settings.SAV_DATABASE, 'none'].entries()) {
      const worker = shop.start(['worker'], { ...local, SAV_DATABASE_DIRECT: direct })
      await worker.prints(/"delivering"/, 'stderr')
      await shop.json(['cases', 'create', '--client-id', '1', '--description', 'Une porte à ravoir'])
      await atelier.received(sent + 1)
      await worker.kill('SIGTERM')
    }
  })

  it('a key that is revoked stops within a second in every process', async () => {
    const shop = await readyWorkplace(await onPostgres(migratedStore))
    const key = await shop.newKey()
    const urls = await Promise.all([shop.serve('--no-worker').url(), shop.serveHere().then(({ url }) => url)])
    const status = async (url: string) => (await call(url, key, 'GET', '/api/v1/sav')).status
    expect(await Promise.all(urls.map(status))).toEqual([200, 200])
    const [listed] = await shop.json<{ id: string }[]>(['keys', 'list'])
    await shop.json(['keys', 'revoke', listed?.id ?? '', '--yes'])
    // What is promised holds however slow this machine is: the services count their time by themselves.
    await delay(1000)
    expect(await Promise.all(urls.map(status))).toEqual([401, 401])
  })
})
