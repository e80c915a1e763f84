import { eventKinds } from '@sav/webhook-verify'
import { describe, expect, it } from 'vitest'
import { receiver } from './receiver.js'
import { local, readyWorkplace, type Workplace } from './workplace.js'

interface Endpoint {
  readonly id: string
  readonly secret: string
}

const add = (shop: Workplace, url = 'https://example.com/hook') =>
  shop.json<Endpoint>(['webhooks', 'add', url, '--events', 'sav.created', '--header', 'X-A: 1'], local)

describe('an endpoint', () => {
  it('keeps every field that an update leaves out', async () => {
    const shop = await readyWorkplace()
    const { id } = await add(shop)
    const update = (...changes: string[]) => shop.json(['webhooks', 'update', id, ...changes])
    expect(await update('--url', 'https://example.com/new')).toMatchObject({
      id,
      url: 'https://example.com/new',
      events: ['sav.created'],
      headers: ['X-A'],
      description: null,
    })
    expect(await update('--description', 'Atelier')).toMatchObject({ description: 'Atelier', headers: ['X-A'] })
    expect(await update('--description', '')).toMatchObject({ description: null })
    expect(await update('--header', 'X-B: 2', '--header', 'X-C: 3')).toMatchObject({ headers: ['X-B', 'X-C'] })
    expect(await update('--no-header')).toMatchObject({ headers: [] })
    expect(await update('--events', 'sav.closed,sav.created')).toMatchObject({ events: ['sav.created', 'sav.closed'] })
    expect(await update('--all-events')).toMatchObject({ events: eventKinds })
  })

  it('may be at an allowed private address, but at no other private address', async () => {
    const shop = await readyWorkplace()
    const adding = async (host: string) =>
      (
        await shop.sav(`webhooks add https://${host}/ --all-events`, {
          SAV_WEBHOOK_ALLOW_CIDRS: '10.1.0.0/16, fd00::/8',
        })
      ).code
    expect(await Promise.all(['10.1.255.255', '[fd12::1]', '10.2.0.0', '[fe80::1]'].map(adding))).toEqual([0, 0, 2, 2])
  })

  it('gets a new secret; the old one ends after an overlap, or at once', async () => {
    const shop = await readyWorkplace()
    const { id, secret } = await add(shop)
    const rotate = (...how: string[]) =>
      shop.json<Endpoint & { previous_expires_at: string | null }>(['webhooks', 'rotate-secret', id, ...how])
    const before = Date.now()
    const second = await rotate()
    const after = Date.now()
    expect(second.secret).toMatch(/^whsec_/)
    expect(second.secret).not.toBe(secret)
    const rotatedAt = Date.parse(second.previous_expires_at ?? '') - 86_400_000
    expect(rotatedAt).toBeGreaterThanOrEqual(before)
    expect(rotatedAt).toBeLessThanOrEqual(after)
    const soon = Date.parse((await rotate('--overlap', '1h')).previous_expires_at ?? '') - 3_600_000
    expect(soon).toBeGreaterThanOrEqual(after)
    expect(soon).toBeLessThanOrEqual(Date.now())
    const last = await rotate('--now')
    expect(last.previous_expires_at).toBeNull()
    expect((await shop.sav('webhooks list --json')).stdout).not.toContain('whsec_')
  })

  it('is tested with --wait: exit code 0 after a success, 1 after a failure or without a worker', async () => {
    const shop = await readyWorkplace()
    const atelier = await receiver()
    const [good, bad] = [await add(shop, atelier.url), await add(shop, atelier.url)]
    // The receiver knows only the secret of this endpoint, so it answers 401 to deliveries of the other endpoint.
    atelier.trust(good.secret)
    const test = (id: string, env = {}, ...more: string[]) => shop.sav(['webhooks', 'test', id, '--wait', ...more], env)
    const soon = { SAV_WEBHOOK_TIMEOUT: '100ms' }
    const [alone, inWords] = await Promise.all([test(good.id, soon, '--json'), test(good.id, soon)])
    expect([alone.code, JSON.parse(alone.stdout)]).toMatchObject([1, { attempt: null }])
    expect(inWords.stdout).toBe('Not sent after 2.1 s: is a `sav serve` or `sav worker` running?\n')

    await shop.workHere()
    const delivered = await test(good.id)
    expect([delivered.code, delivered.stdout]).toEqual([
      0,
      expect.stringMatching(/^Delivered: answered 200 \(\d+ ms\)\. More: sav webhooks show dlv_\w+\n$/),
    ])
    const refused = await test(bad.id)
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringMatching(/^Not delivered: answered 401 \(/)])
  })

  it('is removed only with --yes, and keeps its history', async () => {
    const shop = await readyWorkplace()
    const { id } = await add(shop)
    await shop.newCase()
    await shop.fails(['webhooks', 'remove', id], 2, /--yes/)
    expect(await shop.json('webhooks list')).toHaveLength(1)
    expect(await shop.json(['webhooks', 'remove', id, '--yes'])).toEqual({ id, removed: true })
    expect(await shop.json('webhooks list')).toEqual([])
    expect(await shop.json('webhooks history')).toMatchObject([
      { endpoint_id: id, state: 'failed', last_error: 'endpoint removed' },
    ])
  })
})
