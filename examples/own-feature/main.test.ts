import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createFetchHandler, createSav } from '@sav/http-node'
import { addOwner, type Suite, storageContract } from '@sav/storage-contract'
import { copyStore } from '@sav/storage-kysely/copy'
import { memoryStorage } from '@sav/storage-kysely/testing'
import * as vitest from 'vitest'
import { tagTables } from './kysely.js'
import { openService } from './main.js'
import { tagStore, tags } from './tags.js'

const { expect, it } = vitest
const run = promisify(execFile)
const open = () => memoryStorage({ features: [tagTables] })

/** What the feature asks of a storage. */
function tagContract({ describe, it, expect }: Suite): void {
  describe('tags', () => {
    it('are of one case of one account, and added once', async (storage) => {
      await addOwner(storage, 'ours')
      expect(await storage.reads.of(tagStore).cases('ours', 'garantie')).toEqual([])
    })
  })
}
storageContract({ name: 'with tags', open, vitest, features: [tagContract] })

async function openShop() {
  const { storage, sav, api } = await openService(':memory:', new Uint8Array(32))
  const actor = { account_id: 'default', type: 'systeme', id: null, nom: 'test' } as const
  await sav.accounts.add(actor, 'default')
  const { key } = await sav.keys.create(actor, { nom: 'test', permissions: ['sav:read', 'tags:write'] })
  const client = await sav.directory.clients.add(actor, { nom: 'Lefèvre', prenom: 'Zoé' })
  const { id } = await sav.cases.create(actor, { client_id: client.id, description: 'La porte du four ne ferme plus.' })
  const handle = createFetchHandler(api)
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await handle(
      new Request(`http://shop.test${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
      { ip: '127.0.0.1' },
    )
    // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of any shape
    const json: any = await answer.json()
    return { status: answer.status, json }
  }
  return { storage, sav, actor, client, id, call }
}

it('has operations of its own, in the API and in its contract', async () => {
  const { id, call } = await openShop()
  const path = `/api/v1/sav/${id}/etiquettes`
  expect(await call('POST', path, { nom: 'garantie' })).toMatchObject({ status: 201, json: { data: ['garantie'] } })
  const refused = await call('POST', path, { nom: 'sous garantie' })
  expect(refused).toMatchObject({ status: 422, json: { details: [{ field: 'nom', code: 'tag_invalid' }] } })
  expect((await call('GET', '/api/v1/etiquettes?nom=garantie')).json.data).toEqual([id])
  await call('DELETE', `${path}/garantie`)
  expect((await call('GET', path)).json.data).toEqual([])
  expect((await call('GET', '/api/v1/sav/9/etiquettes')).status).toBe(404)
  const { json: contract } = await call('GET', '/openapi.json')
  expect(Object.keys(contract.paths)).toEqual(expect.arrayContaining(['/api/v1/etiquettes']))
  expect(contract.webhooks['tag.added'].post.summary).toBe('A case got a tag.')
  const { events } = contract.paths['/api/v1/webhooks'].post.requestBody.content['application/json'].schema.properties
  expect(events.items.enum).toContain('tag.added')
})

it('has a permission of its own, which a service without it refuses', async () => {
  const { storage, actor, call } = await openShop()
  const { json: contract } = await call('GET', '/openapi.json')
  const { permissions } = contract.paths['/api/v1/cles'].post.requestBody.content['application/json'].schema.properties
  expect(permissions.items.enum).toContain('tags:write')
  expect(permissions.items['x-enumDescriptions']).toMatchObject({ 'tags:write': 'add and remove tags of cases' })
  const without = createSav({ storage, secretKey: new Uint8Array(32) })
  const created = without.keys.create(actor, { nom: 'tags', permissions: ['tags:write'] })
  await expect(created).rejects.toThrow(/must be one of sav:read, .*admin \(found tags:write\)/)
})

it('sends its event to subscribed receivers, in the transaction of the change', async () => {
  const { sav, actor, id } = await openShop()
  await sav.webhooks.endpoints.add(actor, { url: 'https://receiver.example/hook', events: ['tag.added'] })
  await sav.tags.add(actor, id, { nom: 'garantie' })
  const { items } = await sav.webhooks.deliveries.list('default', {})
  expect(items.map(({ event }) => event)).toEqual(['tag.added'])
})

it('is erased with the client and the account, and copied with the store', async () => {
  const { sav, storage, actor, client, id } = await openShop()
  await sav.tags.add(actor, id, { nom: 'garantie' })
  const target = await open()
  const { tables } = await copyStore(
    { kind: 'sqlite', storage, name: 'ours' },
    { kind: 'sqlite', storage: target, name: 'copy' },
  )
  expect(tables).toMatchObject({ case_tags: 1 })
  await sav.directory.clients.erase(actor, client.id)
  expect(await sav.tags.list('default', id)).toEqual([])
  const copied = createSav({ storage: target, secretKey: new Uint8Array(32), features: [tags()] })
  await copied.accounts.disable(actor)
  await copied.accounts.erase('default', { everything: true })
  expect(await target.reads.of(tagStore).cases('default', 'garantie')).toEqual([])
})

it('is missed by a program without it, which would leave its rows behind', async () => {
  const { storage, actor, client } = await openShop()
  const sav = createSav({ storage, secretKey: new Uint8Array(32) })
  await expect(sav.directory.clients.erase(actor, client.id)).rejects.toMatchObject({ code: 'feature_not_composed' })
  const store = {
    kind: 'sqlite',
    storage: { ...storage, features: [] },
    name: 'ours',
  } as const
  const copy = copyStore(store, { kind: 'sqlite', storage: await memoryStorage(), name: 'copy' })
  await expect(copy).rejects.toMatchObject({ refusal: { reason: 'feature_not_opened', features: ['tags'] } })
})

it('is missed at the start if the storage lacks its tables', async () => {
  const storage = await memoryStorage()
  expect(() => createSav({ storage, secretKey: new Uint8Array(32), features: [tags()] })).toThrow(
    'The storage has no tables of tags: add tagsTables to the `features` that it is opened with.',
  )
})

it('has commands in a bin of its own, beside those of sav', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sav-own-feature-'))
  const env = { PATH: process.env['PATH'], SAV_TEST_INSTALLED_SETTINGS: '' }
  const sav = async (...words: string[]) => {
    const bin = [
      '--import',
      new URL('../../test/source.mjs', import.meta.url).href,
      join(import.meta.dirname, 'sav.ts'),
    ]
    return (await run(process.execPath, [...bin, ...words], { cwd: directory, env })).stdout
  }
  try {
    expect(await sav('--help')).toMatch(/Cases:\n {2}cases .*\n.*\n {2}tags +short words on cases/)
    await sav('init')
    await sav('clients', 'add', '--nom', 'Lefèvre', '--prenom', 'Zoé')
    await sav('cases', 'create', '--client-id', '1', '--description', 'La porte du four ne ferme plus.')
    expect(await sav('tags', 'add', '1', 'garantie')).toBe('garantie\n')
    expect(JSON.parse(await sav('tags', 'list', '1', '--json'))).toEqual(['garantie'])
    await expect(sav('tags', 'add', '1', 'sous garantie')).rejects.toThrow('must be 1 to 30 letters, digits or hyphens')
  } finally {
    await rm(directory, { recursive: true })
  }
})
