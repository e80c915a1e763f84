import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createFetchHandler, createSav } from '@sav/http-node'
import { addCase, addOwner, type Suite, storageContract } from '@sav/storage-contract'
import { copyStore } from '@sav/storage-kysely/copy'
import { memoryStorage } from '@sav/storage-kysely/testing'
import { expect, it } from 'vitest'
import { onlyParts } from '../../packages/storage-kysely/test/contract-parts.js'
import { tagsTables } from './kysely.ts'
import { openService } from './main.ts'
import { tagStore, tags } from './tags.ts'

const run = promisify(execFile)
const open = () => memoryStorage({ features: [tagsTables] })

/** Tests of what the feature needs from a storage. */
function tagContract({ describe, it, expect }: Suite): void {
  describe('tags', () => {
    it('belong to one case of one account', async (storage) => {
      const { id } = await addCase(storage, await addOwner(storage, 'ours'))
      await storage.transaction((tx) => tx.of(tagStore).add('ours', id, 'garantie'))
      const stored = storage.reads.of(tagStore)
      expect(await stored.cases('ours', 'garantie')).toEqual([id])
      expect(await stored.ofCase('ours', id)).toEqual(['garantie'])
      expect(await stored.ofCase('theirs', id)).toEqual([])
    })
  })
}
// Only some parts, since this storage runs all of them in its own tests. For your own storage, pass `vitest`.
const vitest = onlyParts(['tags', 'erasure', 'life of a store'])
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

it('the feature adds operations to the API and its contract', async () => {
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
  expect(events.items.enum).not.toContain('rdv.created')
})

it('the feature adds a permission, which a service without the feature refuses', async () => {
  const { storage, actor, call } = await openShop()
  const { json: contract } = await call('GET', '/openapi.json')
  const { permissions } = contract.paths['/api/v1/cles'].post.requestBody.content['application/json'].schema.properties
  expect(permissions.items.enum).toContain('tags:write')
  expect(permissions.items['x-enumDescriptions']).toMatchObject({ 'tags:write': 'add and remove tags of cases' })
  const without = createSav({ storage, secretKey: new Uint8Array(32) })
  const created = without.keys.create(actor, { nom: 'tags', permissions: ['tags:write'] })
  await expect(created).rejects.toThrow(/must be one of sav:read, .*admin \(found tags:write\)/)
})

it('the feature sends its event to subscribed receivers', async () => {
  const { sav, actor, id } = await openShop()
  const url = 'https://receiver.example/hook'
  await sav.webhooks.endpoints.add(actor, { url, events: ['tag.added'] })
  const ofPlanning = sav.webhooks.endpoints.add(actor, { url, events: ['rdv.created'] })
  await expect(ofPlanning).rejects.toThrow(/must be one of sav\.created, .*tag\.added \(found rdv\.created\)/)
  await sav.tags.add(actor, id, { nom: 'garantie' })
  const { items } = await sav.webhooks.deliveries.list('default', {})
  expect(items.map(({ event }) => event)).toEqual(['tag.added'])
})

it('the tags are erased with the client and the account, and copied with the store', async () => {
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

it('a program without the feature refuses to erase a client or copy the store', async () => {
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

it('the feature is refused at the start if the storage lacks its tables', async () => {
  const storage = await memoryStorage()
  expect(() => createSav({ storage, secretKey: new Uint8Array(32), features: [tags()] })).toThrow(
    'The storage has no tables of tags: add tagsTables to the `features` that it is opened with.',
  )
})

it('the feature adds commands to sav, in a program that node starts', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sav-own-feature-'))
  const env = { PATH: process.env['PATH'], SAV_TEST_INSTALLED_SETTINGS: '' }
  const sav = async (...words: string[]) => {
    const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'sav.ts'), ...words], {
      cwd: directory,
      env,
    })
    return stdout
  }
  try {
    expect(await sav('webhooks', 'add', '--help')).toMatch(/Kinds of events: .*, tag\.added/s)
    expect(await sav('--help')).toMatch(/Cases:\n {2}cases .*\n.*\n {2}tags +short words on cases/)
    await sav('init')
    await sav('clients', 'add', '--nom', 'Lefèvre', '--prenom', 'Zoé')
    await sav('cases', 'create', '--client-id', '1', '--description', 'La porte du four ne ferme plus.')
    expect(await sav('tags', 'add', '1', 'garantie')).toBe('garantie\n')
    expect(JSON.parse(await sav('tags', 'list', '1', '--json'))).toEqual(['garantie'])
  } finally {
    await rm(directory, { recursive: true })
  }
})
