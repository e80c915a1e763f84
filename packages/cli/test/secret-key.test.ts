import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SqliteStorage } from '@sav/storage-kysely/sqlite'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { readSettings } from '../../command/src/settings/settings.js'
import { rotateSecretKey } from '../../command/src/store/secret-key-rotation.js'
import { features } from './program.js'
import { receiver } from './receiver.js'
import { local, readyWorkplace, type Workplace } from './workplace.js'

const keyFileOf = (shop: Workplace) => join(shop.dir, 'sav-data/secret.key')
const keysOf = async (shop: Workplace) => (await readFile(keyFileOf(shop), 'utf8')).trimEnd().split('\n')
const rotate = (shop: Workplace) => shop.json<{ key_id: string }>('secret-key rotate --yes')

async function withEndpoint() {
  const shop = await readyWorkplace()
  const atelier = await receiver()
  const add = ['webhooks', 'add', atelier.url, '--all-events', '--header', 'X-Canary: tweet']
  const { id, secret } = await shop.json<{ id: string; secret: string }>(add, local)
  atelier.trust(secret)
  return { shop, atelier, id }
}

/** The id of the key with which each secret is sealed. */
async function sealedWith(shop: Workplace): Promise<string[]> {
  const storage = await openSqlite(`${shop.dir}/sav-data/sav.db`)
  const endpoints = await storage.db.selectFrom('webhook_endpoints').selectAll().execute()
  await storage.close()
  return endpoints
    .flatMap(({ sealed_secret, sealed_headers }) => [sealed_secret, sealed_headers ?? ''])
    .map((sealed) => sealed.split('.')[1] ?? '')
}

describe('sav secret-key rotate', () => {
  it('puts a new key above the old one in the key file, and seals everything with the new key', async () => {
    const { shop } = await withEndpoint()
    const [first] = await keysOf(shop)
    const { key_id } = await rotate(shop)
    const [second, before, ...more] = await keysOf(shop)
    expect([before, more]).toEqual([first, []])
    expect(second).not.toBe(first)
    expect((await stat(keyFileOf(shop))).mode & 0o777).toBe(0o600)
    expect(new Set(await sealedWith(shop))).toEqual(new Set([key_id]))
    await rotate(shop)
    expect((await keysOf(shop)).slice(1)).toEqual([second])
    expect(await shop.json('webhooks list')).toMatchObject([{ headers: ['X-Canary'] }])
    expect(await shop.json('doctor')).toMatchObject({ secret_key: 'ok', warnings: [] })
  })

  it('lets running services continue, and be restarted', async () => {
    const { shop, atelier, id } = await withEndpoint()
    const service = shop.serve()
    await service.url()
    await shop.newCase()
    await atelier.received(1)
    await rotate(shop)
    await shop.newCase()
    await atelier.received(2)
    const second = await rotate(shop)
    await shop.newCase()
    await atelier.received(3)
    await service.kill('SIGTERM')
    expect(service.stderr).not.toContain('sealed with key')
    await shop.serveHere()
    await shop.newCase()
    await atelier.received(4)
    await shop.json(['webhooks', 'update', id, '--header', 'X-Canary: song'])
    expect(new Set(await sealedWith(shop))).toEqual(new Set([second.key_id]))
  })

  it('refuses to change a key that a setting gives, and says what to do', async () => {
    const { shop } = await withEndpoint()
    const [key = ''] = await keysOf(shop)
    await shop.fails('secret-key rotate --yes', 2, /SAV_SECRET_KEY_FILE/, { SAV_SECRET_KEY: key })
    expect(await keysOf(shop)).toEqual([key])
  })

  it('run twice at the same time leaves keys that open every secret', async () => {
    const { shop } = await withEndpoint()
    const both = await Promise.all([1, 2].map(() => shop.start('secret-key rotate --yes --json').ended()))
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    expect(await shop.json('webhooks list')).toMatchObject([{ headers: ['X-Canary'] }])
    expect(await shop.json('doctor')).toMatchObject({ secret_key: 'ok', problems: [], warnings: [] })
  })
})

/**
 * A store in which transaction number `last` fails as if the process were killed: before it begins or, with `begun`,
 * before it commits.
 */
function dyingAt(storage: SqliteStorage, last: number, { begun }: { begun: boolean }): SqliteStorage {
  let count = 0
  const transaction: SqliteStorage['transaction'] = (work) => {
    count += 1
    if (count < last) return storage.transaction(work)
    if (!begun) throw new Error('killed')
    return storage.transaction(async (tx) => {
      await work(tx)
      throw new Error('killed')
    })
  }
  return new Proxy(storage, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  })
}

describe('a rotation that is interrupted', () => {
  /** Transaction 1 writes the new key to the file; 2 and 3 seal endpoints; 4 records the new key in the store. */
  const points = [1, 2, 3, 4].flatMap((last) => [true, false].map((begun) => ({ last, begun })))

  it.each(points)(
    'in transaction $last (begun: $begun) is completed by the next start or by another rotation',
    async (point) => {
      const { shop, atelier } = await withEndpoint()
      const settings = readSettings({ env: {}, cwd: shop.dir, features })
      const storage = await openSqlite(join(shop.dir, 'sav-data/sav.db'))
      await expect(rotateSecretKey(settings, dyingAt(storage, point.last, point))).rejects.toThrow('killed')
      await storage.close()

      expect(await shop.json('webhooks list')).toMatchObject([{ headers: ['X-Canary'] }])
      const keys = await keysOf(shop)
      const completesByStart = point.begun
      if (completesByStart) await shop.serveHere()
      else await rotate(shop)
      expect(await shop.json('doctor')).toMatchObject({ secret_key: 'ok', warnings: [] })
      // The interrupted rotation is continued with its own new key, not started again.
      if (keys.length === 2) expect(await keysOf(shop)).toEqual(keys)
      expect(new Set(await sealedWith(shop)).size).toBe(1)
      if (completesByStart) {
        await shop.newCase()
        await atelier.received(1)
      }
    },
  )
})
