import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { onLoopback } from './on-loopback.js'
import { receiver } from './receiver.js'
import { call, local, readyWorkplace } from './workplace.js'

const withMetrics = { ...local, SAV_METRICS: '127.0.0.1:0' }

type Service = Awaited<ReturnType<typeof readyWorkplace>>['start'] extends (...args: never[]) => infer S ? S : never

async function metricsOf(service: Service): Promise<string> {
  const [, url = ''] = await service.prints(/"metrics on (http:[^"]+)"/, 'stderr')
  const response = await fetch(url)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  return response.text()
}

describe('metrics', () => {
  it('are served on a separate port', async () => {
    const shop = await readyWorkplace()
    const service = shop.start('serve --port 0', withMetrics)
    const url = await service.url()
    expect((await fetch(`${url}/metrics`)).status).toBe(401)
    const [, metrics = ''] = await service.prints(/"metrics on (http:[^"]+)"/, 'stderr')
    expect((await fetch(metrics)).status).toBe(200)
    expect((await fetch(metrics, { method: 'POST' })).status).toBe(405)
    expect((await fetch(new URL('/api/v1/sav', metrics))).status).toBe(404)
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
  })

  it('count attempts by outcome, and waiting deliveries', async () => {
    const shop = await readyWorkplace()
    const atelier = await receiver()
    const [good, bad] = await Promise.all(
      [1, 2].map(() => shop.json<{ secret: string }>(['webhooks', 'add', atelier.url, '--all-events'], local)),
    )
    // The receiver knows only the secret of this endpoint, so it answers 401 to deliveries of the other endpoint.
    atelier.trust(good?.secret ?? '')
    expect(bad?.secret).toBeDefined()
    const worker = shop.start('worker', withMetrics)
    await worker.prints(/"delivering"/, 'stderr')
    const idle = await metricsOf(worker)
    expect(idle).toMatch(/^sav_delivery_oldest_due_age_seconds 0$/m)
    expect(idle).toMatch(/^sav_database_up 1$/m)
    expect(idle).toMatch(/^process_resident_memory_bytes \d+/m)
    await shop.newCase('Une porte à compter')
    await worker.prints(/"state":"delivered"/, 'stderr')
    await worker.prints(/"state":"pending"/, 'stderr')
    const metrics = await metricsOf(worker)
    expect(metrics).toMatch(/^sav_delivery_attempts_total\{channel="webhook",outcome="delivered"\} 1$/m)
    expect(metrics).toMatch(/^sav_delivery_attempts_total\{channel="webhook",outcome="retry"\} 1$/m)
    expect(metrics).toMatch(/^sav_delivery_attempt_duration_seconds_count\{channel="webhook",outcome="delivered"\} 1$/m)
    expect(metrics).toMatch(/^sav_delivery_attempts_in_flight 0$/m)
    expect(metrics).toMatch(/^sav_deliveries\{state="pending"\} \d$/m)
    const [, heartbeat = ''] = /^sav_worker_heartbeat_seconds (\S+)$/m.exec(metrics) ?? []
    expect(Math.abs(Date.now() / 1000 - Number(heartbeat))).toBeLessThan(5)
  })

  it('show that an endpoint was disabled, as do the log and the doctor', async () => {
    const shop = await readyWorkplace()
    const url = `${await onLoopback(createServer((_, response) => response.writeHead(410).end()))}/`
    const { id } = await shop.json<{ id: string }>(['webhooks', 'add', url, '--all-events'], local)
    const worker = shop.start('worker', { ...withMetrics, SAV_RETRY_SCHEDULE: '0s' })
    await shop.newCase('Pour celui qui est parti')
    const [line] = await worker.prints(/^.*"endpoint disabled".*$/m, 'stderr')
    expect(JSON.parse(line)).toMatchObject({
      endpoint: id,
      account_id: 'default',
      reason: expect.stringMatching(/410/),
    })
    expect(await metricsOf(worker)).toMatch(/^sav_endpoints_disabled_total 1$/m)
    expect(await shop.json('doctor')).toMatchObject({
      ok: true,
      failed_deliveries: 1,
      disabled_endpoints: [{ id, disabled_reason: 'a delivery ended with 410 Gone' }],
      warnings: [
        expect.stringMatching(`${id} has been disabled since .* \\(a delivery ended`),
        expect.stringMatching(/^Deliveries that failed: 1\./),
      ],
    })
    expect((await shop.sav('doctor')).stdout).toMatch(new RegExp(`${id} +default +20.*410 Gone`))
  })

  it('name the setting when their port is taken', async () => {
    const shop = await readyWorkplace()
    const { host } = new URL(await onLoopback(createServer()))
    await shop.fails('worker', 1, /choose another one with SAV_METRICS/, { SAV_METRICS: host })
  })
})

it('no log, metric, list or file holds a secret, a key, the value of a header, or a body', async () => {
  const shop = await readyWorkplace()
  const key = await shop.newKey()
  const atelier = await receiver()
  const header = 'canary-header-value-5d41402a'
  const description = 'canary-body-7d793037: la porte du four ne ferme plus'
  const add = ['webhooks', 'add', `${atelier.url}?token=canary-url-9e107d9d`, '--all-events', '--header']
  const { id, secret } = await shop.json<{ id: string; secret: string }>([...add, `X-Token: ${header}`], local)
  atelier.trust(secret)
  const service = shop.start('serve --port 0', { ...withMetrics, SAV_LOG_LEVEL: 'trace' })
  const url = await service.url()
  await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description })
  await call(url, 'sav_live_canary_wrong_key', 'GET', '/api/v1/sav?recherche=canary-query')
  await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description, notes: 'canary-unknown-field' })
  await atelier.received(1)
  const rotated = await shop.json<{ secret: string }>(['webhooks', 'rotate-secret', id])
  await shop.json('secret-key rotate --yes')
  await call(url, key, 'POST', '/api/v1/sav/1/cloturer', { resolution: 'canary-resolution: charnière changée' })
  await atelier.received(2)
  // A failed attempt is logged with its reason. To make one fail, the receiver trusts a secret that the endpoint never
  // had.
  atelier.trust(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
  await shop.json(['webhooks', 'test', id])
  await service.prints(/"attempt failed"/, 'stderr')
  const metrics = await metricsOf(service)
  const doctor = await shop.sav('doctor', withMetrics)
  const listed = await shop.sav('webhooks list --json')
  const { stderr, stdout } = await service.kill('SIGTERM')

  const secrets = [secret, rotated.secret, key, header]
  const keyFile = (await readFile(join(shop.dir, 'sav-data/secret.key'), 'utf8')).trimEnd().split('\n')
  const written = [stderr, stdout, metrics, doctor.stdout, doctor.stderr].join('\n')
  for (const canary of [...secrets, ...keyFile, 'canary-', 'sav_live_canary', '/hook'])
    expect(written).not.toContain(canary)
  for (const canary of secrets) expect(listed.stdout).not.toContain(canary)

  // Secrets are sealed and keys are hashed in the store, so no file of it contains them.
  const directory = join(shop.dir, 'sav-data')
  const storage = await openSqlite(join(directory, 'sav.db'))
  await storage.close()
  for (const name of (await readdir(directory)).filter((name) => name.startsWith('sav.db'))) {
    const bytes = await readFile(join(directory, name))
    for (const canary of [...secrets, ...keyFile]) {
      expect([name, bytes.includes(canary)]).toEqual([name, false])
      const decoded = Buffer.from(canary.replace(/^whsec_/, ''), 'base64')
      expect([name, bytes.includes(decoded)]).toEqual([name, false])
    }
    expect([name, bytes.includes('canary-query')]).toEqual([name, false])
    expect([name, bytes.includes('canary-unknown-field')]).toEqual([name, false])
  }
})
