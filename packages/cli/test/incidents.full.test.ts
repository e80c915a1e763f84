import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Server } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makePostgres } from '../../../test/embedded-postgres.js'
import { needs } from '../../../test/needs.js'
import { expired } from '../../http-node/test/receiver-zoo.js'
import { doctorOf, started } from './drill.js'
import { call, local, readyWorkplace, type Workplace } from './workplace.js'

const whole = process.env['SAV_TEST_FULL'] === '1'

/** Where it listens. It ends with the test. */
async function listening(server: Server & { closeAllConnections(): void }): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

const answers: RequestListener = (request, response) => {
  request.resume()
  response.writeHead(204).end()
}

const newCase = { client_id: 1, description: 'La porte du four ne ferme plus' }

const add = (shop: Workplace, url: string) => shop.json<{ id: string }>(['webhooks', 'add', url, '--all-events'], local)

const healthOf = async (shop: Workplace, id: string) =>
  (await shop.json<{ sante: { etat: string } }>(['webhooks', 'health', id])).sante

/** What an operator meets. What each row says in docs/operating.md is here or in signals.test.ts. */
describe.runIf(whole)('a drill', () => {
  it('with a receiver that answers too late: it alone is named, and the others get their deliveries', async () => {
    const shop = await readyWorkplace()
    const key = await shop.newKey()
    const silent = await listening(createServer((request) => void request.resume()))
    let received = 0
    const prompt = createServer((request, response) => {
      received += 1
      answers(request, response)
    })
    const { id } = await add(shop, `http://127.0.0.1:${silent}`)
    await add(shop, `http://127.0.0.1:${await listening(prompt)}`)
    const { url, readiness, metrics } = await started(shop, { SAV_WEBHOOK_TIMEOUT: '3s' })
    for (let n = 0; n < 2; n += 1) expect((await call(url, key, 'POST', '/api/v1/sav', newCase)).status).toBe(201)
    await expect
      .poll(() => healthOf(shop, id))
      .toMatchObject({ etat: 'en_echec', derniere_reponse: { code: 'timeout' } })
    await expect.poll(() => received).toBe(2)
    const { code, said } = await doctorOf(shop)
    expect([code, said.warnings.filter((warning) => warning.startsWith('Receiver '))]).toEqual([
      0,
      [expect.stringMatching(`^Receiver ${id} has failed since .*timed out`)],
    ])
    await expect.poll(metrics).toMatch(/^sav_endpoints\{state="en_echec"\} 1$/m)
    expect(await readiness()).toBe(200)
  })

  it('with a receiver whose certificate has expired: its code says so', async () => {
    const shop = await readyWorkplace()
    const port = await listening(createTlsServer(expired, answers))
    const { id } = await add(shop, `https://localhost:${port}`)
    // Trusted, so that what is wrong with it is its age.
    await started(shop, { NODE_EXTRA_CA_CERTS: await shop.write('ca.pem', expired.cert) })
    await shop.json(['webhooks', 'test', id])
    await expect.poll(() => healthOf(shop, id)).toMatchObject({ derniere_reponse: { code: 'tls_expired' } })
    expect((await doctorOf(shop)).said.warnings).toContainEqual(
      expect.stringMatching(`^Receiver ${id} has failed since .*certificate has expired`),
    )
  })

  it('with PostgreSQL away: 503 until it is back, and no restart', async () => {
    const server = await makePostgres({ initdbFlags: ['--no-sync'] })
    onTestFinished(server.stop)
    await server.start()
    const shop = await readyWorkplace({ SAV_DATABASE: server.url('postgres') })
    const key = await shop.newKey()
    const { service, url, readiness, metrics } = await started(shop)
    const create = async () => (await call(url, key, 'POST', '/api/v1/sav', newCase)).status
    expect([await create(), await readiness()]).toEqual([201, 200])
    await server.crash()
    expect(await create()).toBe(503)
    await expect.poll(readiness).toBe(503)
    expect(await metrics()).toMatch(/^sav_database_up 0$/m)
    const { code, said } = await doctorOf(shop)
    expect([code, said.problems]).toEqual([1, [expect.stringMatching(/database/i)]])
    await server.start()
    await expect.poll(readiness).toBe(200)
    expect(await create()).toBe(201)
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
  })

  it.runIf(needs('faketime', 'what a service says whose clock is ten minutes ahead'))(
    'with a clock ten minutes ahead: callers are refused with the reason, and doctor compares with the database',
    async () => {
      const server = await makePostgres({ initdbFlags: ['--no-sync'] })
      onTestFinished(server.stop)
      await server.start()
      const shop = await readyWorkplace({ SAV_DATABASE: server.url('postgres') })
      const key = await shop.newKey()
      const library = execFileSync('faketime', ['-f', '+10m', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim()
      const ahead = { LD_PRELOAD: library, FAKETIME: '+10m', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
      const { url, metrics } = await started(shop, ahead)
      const refused = await call(url, key, 'POST', '/api/v1/sav', newCase)
      expect(refused).toMatchObject({ status: 401, body: { error: 'Replay attack suspected' } })
      expect(await metrics()).toMatch(/^sav_http_refusals_total\{reason="\w+"\} 1$/m)
      const doctor = await shop.start(['doctor', '--json'], ahead).ended()
      expect(JSON.parse(doctor.stdout).warnings).toContainEqual(
        expect.stringMatching(/^The clock of the database differs by -?\d{6} ms/),
      )
    },
  )

  it('with an account that calls without pause: it is refused, others are served, and the audit names its keys', async () => {
    const shop = await readyWorkplace()
    const key = await shop.newKey()
    await shop.json(['accounts', 'add', 'lyon'])
    const keys = ['keys', 'create', '--name', 'k', '--permissions', 'sav:read', '--account', 'lyon']
    const hammering = [await shop.json<{ key: string }>(keys), await shop.json<{ key: string }>(keys)]
    const { url, metrics } = await started(shop, {
      SAV_RATE_LIMIT: 'reads=20/h,writes=20/h,account-reads=30/h,account-writes=30/h',
    })
    const statuses: number[] = []
    for (let n = 0; n < 20; n += 1)
      for (const { key } of hammering) statuses.push((await call(url, key, 'GET', '/api/v1/sav')).status)
    // Each key alone would have its twenty.
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect((await call(url, key, 'GET', '/api/v1/sav')).status).toBe(200)
    expect(await metrics()).toMatch(/^sav_http_refusals_total\{reason="too_many_requests"\} 10$/m)
    const refused = async () =>
      (await shop.json<{ status: number }[]>(['audit', 'list', '--account', 'lyon'])).filter(
        ({ status }) => status === 429,
      )
    await expect.poll(refused).not.toHaveLength(0)
    expect((await doctorOf(shop)).code).toBe(0)
  })
})
