import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditView } from '@sav/core'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { onSqlite, served } from './service.js'

const canary = 'CANARI-7d1f'
const description = `La porte ${canary} ne ferme plus.`

describe('what the service writes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sav-canary-'))
  const storage = await openSqlite(join(folder, 'sav.db'))
  await storage.migrate()
  const printed: unknown[] = []
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((chunk) => printed.push(chunk) > 0)
  afterAll(async () => {
    vi.restoreAllMocks()
    await rm(folder, { recursive: true, force: true })
  })
  const { service, door } = await served(onSqlite.open, storage)

  /** How many calls were made. Each has every header that might be stored. */
  let calls = 0
  const call = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    door.call(method, path, {
      headers: service.auth({
        'idempotency-key': `call ${++calls}`,
        cookie: `c=${canary}`,
        'user-agent': canary,
        ...more,
      }),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })

  it('contains no secret in the clear, and no body in the audit or the logs', async () => {
    const secrets: string[] = [service.auth()['authorization']?.slice('Bearer '.length) ?? '']
    const key = await call('POST', '/api/v1/cles', { nom: 'x', permissions: ['sav:read'] })
    const rolled = await call('POST', `/api/v1/cles/${key.json.data.id}/renouveler`)
    const endpoint = await call('POST', '/api/v1/webhooks', {
      url: 'https://receiver.example/',
      events: ['sav.created'],
      headers: { 'X-Token': 'GEHEIM-of-the-receiver' },
    })
    const rotated = await call('POST', `/api/v1/webhooks/${endpoint.json.data.id}/renouveler-secret`)
    secrets.push(key.json.data.key, rolled.json.data.key, endpoint.json.data.secret, rotated.json.data.secret)
    expect(secrets.every((secret) => /^(sav_live_|whsec_)/.test(secret))).toBe(true)
    secrets.push('GEHEIM-of-the-receiver')

    const made = await call('POST', '/api/v1/sav', { client_id: service.client_id, description })
    expect(made.status).toBe(201)
    const [bearer = ''] = secrets
    const wrong: [number, string, string, unknown?, Record<string, string>?][] = [
      [422, 'POST', '/api/v1/sav', { client_id: service.client_id, description, [canary]: 1 }],
      [400, 'POST', '/api/v1/sav', `{"broken": "${canary}`],
      [200, 'GET', `/api/v1/sav?recherche=${canary}`],
      [422, 'GET', `/api/v1/sav?${canary}=1`],
      [404, 'GET', `/nowhere/${bearer}?key=${bearer}`],
      [404, 'GET', `/nowhere/whsec_${bearer}`],
      [200, 'GET', '/api/v1/sav', undefined, { 'x-request-id': bearer }],
      [401, 'GET', '/api/v1/sav', undefined, { authorization: `Bearer ${bearer}x` }],
      [401, 'GET', '/api/v1/sav', undefined, { authorization: `Basic ${canary}` }],
      [401, 'POST', '/api/v1/sav', { client_id: service.client_id, description }, { 'x-request-timestamp': canary }],
    ]
    for (const [status, method, path, body, more] of wrong)
      expect([method, path, (await call(method, path, body, more)).status]).toEqual([method, path, status])
    await service.sav.serving.stop()

    const audit = [...(await audited('default')), ...(await audited(null))]
    expect(audit.reduce((sum, row) => sum + (row.calls ?? 1), 0)).toBe(calls)
    const told = { audit, calls: service.calls, failures: service.failures.map(String), printed: printed.map(String) }
    for (const [name, content] of Object.entries(told)) {
      const text = JSON.stringify(content)
      for (const secret of [...secrets, canary]) expect(text, `${secret} in ${name}`).not.toContain(secret)
    }

    // The database and its log must contain the case, but no secret.
    const files = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file))))
    const stored = Buffer.concat(files)
    expect(stored.includes(canary)).toBe(true)
    for (const secret of secrets) expect(stored.includes(secret), secret).toBe(false)
  })

  async function audited(account_id: string | null): Promise<readonly AuditView[]> {
    return (await service.sav.audit.list(account_id, { limite: 1000 })).items
  }
})
