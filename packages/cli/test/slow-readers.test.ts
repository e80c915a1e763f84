import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { bare, bin, nodeOptions, readyWorkplace, type Workplace } from './workplace.js'

/** Makes the last timer of a command fire at once, which ends a process that something still keeps alive. */
const hastened = `data:text/javascript,${encodeURIComponent(
  'const later = setTimeout; globalThis.setTimeout = (f, ms, ...more) => later(f, ms === 500 ? 0 : ms, ...more)',
)}`

it('a command does not end before its reader has taken all that it printed', async () => {
  const shop = await readyWorkplace()
  const rows = Array.from({ length: 200 }, (_, n) => {
    const description = `${n}: la porte du four ne ferme plus. `.repeat(100)
    const fields = { id_externe: `${n}`, client_id: 1, statut: 'ouvert', date_creation: '2026-01-15' }
    return JSON.stringify({ ...fields, description })
  })
  await shop.write('cases.ndjson', rows.join('\n'))
  await shop.json('import cases.ndjson --type cases')
  const args = [...nodeOptions, '--import', hastened, bin, 'cases', 'list', '--limite', '200', '--json']
  const listing = spawn(process.execPath, args, { cwd: shop.dir, env: bare })
  const printed = await text(listing.stdout)
  expect(JSON.parse(printed)).toHaveLength(200)
  // More than the buffer of a socket or pipe holds.
  expect(printed.length).toBeGreaterThan(500_000)
})

describe('a service whose log is no longer read', () => {
  it('stops on SIGTERM', async () => {
    const shop = await readyWorkplace()
    const service = await withFullLog(shop)
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
  }, 30_000)

  it('stops at once on a second signal', async () => {
    const shop = await readyWorkplace()
    const service = await withFullLog(shop)
    const open = request(`${await service.url()}/healthz`, { method: 'POST', headers: { 'content-length': 5 } })
    open.on('error', () => {})
    open.flushHeaders()
    // The answer has arrived, but the listener still waits for the rest of the body.
    await once(open, 'response')
    service.process.kill('SIGTERM')
    await refusing(await service.url())
    expect(await service.kill('SIGINT')).toMatchObject({ code: 130 })
  }, 30_000)
})

/** A service that has logged so many calls that the unread pipe takes no further line. */
async function withFullLog(shop: Workplace) {
  const key = await shop.newKey()
  const service = shop.serve()
  const url = await service.url()
  service.process.stderr?.pause()
  const headers = { authorization: `Bearer ${key}`, 'x-request-id': 'x'.repeat(128) }
  const ask = async () => (await fetch(`${url}/api/v1/poseurs`, { headers })).text()
  for (let round = 0; round < 16; round += 1) await Promise.all(Array.from({ length: 50 }, ask))
  return service
}

async function refusing(url: string): Promise<void> {
  const state = () =>
    fetch(url).then(
      () => 'open',
      () => 'refused',
    )
  await expect.poll(state).toBe('refused')
}
