import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../test/memory-storage.js'
import { as } from './composed.js'
import {
  appliedRounds,
  callsOf,
  type ExampleCall,
  isSuccess,
  oneRdv,
  unsentReport,
  writeRoutes,
} from './example-calls.js'
import { fetchDoor, openService } from './service.js'

const nom = 'Zanzibarovitch'
const words = 'La porte quixotique du salon ne ferme plus du tout.'
const key = 'a-key-that-is-repeated'
const posts = writeRoutes.filter(({ method, name }) => method === 'POST' && name !== 'eraseClient')
/** The POST operations of cases, clients and appointments. */
const aboutPeople = posts
  .filter(({ path }) => /^(\/api\/v1\/(sav|clients)|\/v1\/planning\/rdv)(\/|$)/.test(path))
  .map(({ name }) => name)

/** A service in which every client and every case is about one person. */
async function personsService() {
  const service = await openService(await memoryStorage(), { letters: ['whatsapp'] })
  await unsentReport(service.sav)
  const door = fetchDoor(service.api)
  const { sav, client_id, poseur_id } = service
  await sav.directory.clients.update(as('default'), client_id, { nom, email: 'zanzibarovitch@quixotique.example' })
  const call = async ({ method, path, body }: ExampleCall, more: Record<string, string> = {}) => {
    const told =
      typeof body === 'string'
        ? body
            .replace('"La porte du meuble bas ne ferme plus."', JSON.stringify(words))
            .replace('"Durand"', JSON.stringify(nom))
        : body
    return door.call(method, path, { headers: service.auth(more), ...(told !== undefined && { body: told }) })
  }
  const eraseEverybody = async () => {
    const { items } = await sav.directory.clients.list('default', { limite: 200 })
    for (const { id } of items) await sav.directory.clients.erase(as('default'), id)
  }
  const rdv_id = await oneRdv(sav, { client_id, poseur_id })
  const ids = { client_id, poseur_id, version: await appliedRounds(sav), rdv_id }
  return { ...service, door, call, ids, eraseEverybody }
}

describe('after an erasure, the answer that was kept for repetitions of a call', () => {
  it.each(posts.map((route) => [route.name, route] as const))(
    'of %s contains nothing of the person',
    async (name, route) => {
      const { call, ids, eraseEverybody, storage, clock, auth, door } = await personsService()
      for await (const made of callsOf(route, call, ids)) {
        const first = await call(made, { 'idempotency-key': key })
        if (!isSuccess(first)) continue
        const counted = async () => (await storage.reads.cases.list('default', {}, { page: 1, limite: 1 })).total
        await eraseEverybody()
        const before = await counted()
        const again = await call(made, { 'idempotency-key': key })
        expect(again.text).not.toMatch(/zanzibarovitch|quixotique/i)
        expect(await counted()).toBe(before)
        if (aboutPeople.includes(name)) {
          expect(again).toMatchObject({
            status: 409,
            json: { success: false, error: 'The answer to this key was erased' },
          })
          // Any body with this key is refused for 24 hours; then the key is like a new one.
          const other = await door.call(made.method, made.path, {
            headers: auth({ 'idempotency-key': key }),
            body: '{"x":1}',
          })
          expect(other.status).toBe(409)
          await clock.advance(86_400_001)
          expect((await call(made, { 'idempotency-key': key })).json.error).not.toBe(
            'The answer to this key was erased',
          )
        }
        return
      }
      throw new Error(`no call of ${name} succeeded`)
    },
  )

  it('is still given if it is about another person', async () => {
    const { door, auth, sav, client_id } = await personsService()
    const create = async (id: number, idempotencyKey: string) =>
      door.call('POST', '/api/v1/sav', {
        headers: auth({ 'idempotency-key': idempotencyKey }),
        body: JSON.stringify({ client_id: id, description: words }),
      })
    const other = (await sav.directory.clients.add(as('default'), { nom: 'Petit', prenom: 'Léa' })).id
    const [theirs, erased] = [await create(other, 'theirs'), await create(client_id, 'erased')]
    expect(erased.status).toBe(201)
    await sav.directory.clients.erase(as('default'), client_id)
    expect(await create(other, 'theirs')).toMatchObject({ status: 201, text: theirs.text })
    expect((await create(client_id, 'erased')).status).toBe(409)
  })
})
