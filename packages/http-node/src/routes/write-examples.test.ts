import { describe, expect, it } from 'vitest'
import { routes } from '../../../../test/whole/routes.js'
import { appliedRounds, exampleCall, oneRdv, writeRoutes } from '../../test/example-calls.js'
import { inMemory, served } from '../../test/service.js'
import { createRouter } from '../api/router.js'

const find = createRouter(routes)
const byName = writeRoutes.map((route) => [route.name, route] as const)

/** The parsed data as in the example: a photo, parsed to an object with only a `url`, becomes that URL again. */
const shown = (data: unknown) =>
  JSON.parse(JSON.stringify(data, (_, value) => (Object.keys(Object(value)).join() === 'url' ? value.url : value)))

describe('every write of the contract', () => {
  it('is tested here', () => {
    // Operations without a key are forms of pages, which have their own tests.
    const writes = routes.filter(({ method, permission }) => method !== 'GET' && permission !== null)
    expect(byName.map(([name]) => name)).toEqual(writes.map(({ name }) => name))
    expect(byName.length).toBeGreaterThan(15)
  })

  it.each(byName)('%s has an example that its schema accepts without loss', async (_, { body }) => {
    if (body === null) return
    const { error, data } = await body.schema().safeParseAsync(body.example)
    expect(error).toBeUndefined()
    expect(shown(data)).toMatchObject(Object(body.example))
  })

  it.each(byName)('%s is found under the path of its example', (name, route) => {
    const { method, path } = exampleCall(route)
    expect(find(path)?.resource.routes.get(method)?.name).toBe(name)
  })
})

describe('called with the example of its declaration,', async () => {
  const { service, door } = await served(inMemory.open)
  const rdv_id = await oneRdv(service.sav, service)

  // The ids in the example may not exist here, but the form of the call is valid.
  it.each(byName)('%s is accepted as valid', async (_, route) => {
    const { client_id, poseur_id } = service
    const version = await appliedRounds(service.sav)
    const { method, path, body } = exampleCall(route, { client_id, poseur_id, version, rdv_id })
    const answer = await door.call(method, path, { headers: service.auth(), ...(body !== undefined && { body }) })
    expect([200, 201, 202, 404, 409], answer.text).toContain(answer.status)
  })
})
