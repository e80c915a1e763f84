import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { routes } from '../../../../test/whole/routes.js'
import { pathParam } from '../../../http-node/src/http/path-params.js'
import { browserOn } from '../../../http-node/test/browser.js'
import { as } from '../../../http-node/test/composed.js'
import { exampleCall, writeRoutes } from '../../../http-node/test/example-calls.js'
import { type Answer, type Door, fetchDoor, openService, type Service } from '../../../http-node/test/service.js'
import { tokenOf } from '../../test/people.js'

const origin = 'https://sav.petit.example'
const actor = as('default')
const hour = 3_600_000

describe('a phone in the field', () => {
  let service: Service
  let door: Door
  beforeEach(async () => {
    service = await openService(undefined, { publicUrl: origin })
    door = fetchDoor(service.api)
  })
  afterEach(() => service.storage.close())

  /** Somebody signed in on a phone that has called once. */
  async function phone(fields: { readonly role?: 'poseur' | 'administration'; readonly isNamed?: boolean } = {}) {
    const { role = 'poseur', isNamed = true } = fields
    const { sav, poseur_id } = service
    const nom = `Bruno ${role}`
    const { id } = await sav.users.add(actor, { nom, email: `${role}@petit.example`, role, poseur_id })
    const browser = browserOn(door, service, origin)
    const signIn = async () =>
      browser.send('POST', '/app/session/invitation', { token: tokenOf(await sav.users.invite(actor, id)) })
    const name = () => browser.send('PUT', '/api/v1/terrain/appareil', { nom: 'Téléphone', en_attente: 2 })
    await signIn()
    const named = isNamed ? await name() : null
    return { ...browser, id, session: String(named?.json.data.id), signIn, name }
  }

  const told = ({ status, headers }: Answer) => [status, headers['x-sav-device']]
  const ended = [401, 'ended']
  const stranger = [401, undefined]

  it('gets X-Sav-Device: ended from every operation after the office has signed it out', async () => {
    const { session, id, get, send } = await phone()
    await service.sav.sessions.end(actor, id, session)
    const reads = routes.filter(({ method, permission }) => method === 'GET' && permission !== null)
    const keyed = routes.filter(({ permission }) => permission !== null)
    expect(reads.length + writeRoutes.length).toBe(keyed.length)
    for (const { path, name } of reads) {
      const found = path.replace(/\{(\w+)\}/g, (_, param: string) => String(pathParam(param).example))
      expect(told(await get(found)), name).toEqual(ended)
    }
    for (const route of writeRoutes) {
      const { method, path } = exampleCall(route)
      expect(told(await send(method, path, route.body?.example)), route.name).toEqual(ended)
    }
    for (const what of ['options', 'verify'])
      expect(told(await send('POST', `/app/session/passkey/registration/${what}`, {})), what).toEqual(ended)
    expect(told(await get('/api/v1/nowhere'))).toEqual(ended)
    expect(told(await send('PUT', '/api/v1/sav', {}))).toEqual(ended)
  })

  it.each<[string, (which: { readonly id: string; readonly session: string }) => Promise<unknown>]>([
    ['is signed out by the office', ({ id, session }) => service.sav.sessions.end(actor, id, session)],
    ['is signed out with all sessions of its person', ({ id }) => service.sav.sessions.endAll(actor, id)],
    ['belongs to a person who is disabled', ({ id }) => service.sav.users.update(actor, id, { actif: false })],
    ['belongs to a person who leaves the field', ({ id }) => service.sav.users.update(actor, id, { role: 'lecture' })],
  ])('that %s gets X-Sav-Device: ended, even after 13 months, until it signs in again', async (_, end) => {
    const { id, session, get, send, signIn, name } = await phone()
    await end({ id, session })
    expect(told(await get('/api/v1/session'))).toEqual(ended)
    await service.sav.users.update(actor, id, { actif: true, role: 'poseur' })
    expect(told(await name())).toEqual(ended)
    await service.clock.advance(399 * 24 * hour)
    expect(told(await get('/api/v1/terrain'))).toEqual(ended)
    await signIn()
    expect(told(await get('/api/v1/session'))).toEqual([200, undefined])
    expect((await send('PUT', '/api/v1/terrain/appareil', { nom: 'Téléphone', en_attente: 0 })).status).toBe(200)
  })

  it('keeps its data if only its session has ended', async () => {
    const { get, send, signIn, name, cookies } = await phone()
    const secret = cookies.get('__Host-sav') ?? ''
    // A second sign-in replaces the first session.
    await signIn()
    await name()
    const before = cookies.get('__Host-sav') ?? ''
    cookies.set('__Host-sav', secret)
    expect(told(await get('/api/v1/session'))).toEqual(stranger)
    cookies.set('__Host-sav', before)
    await service.clock.advance(30 * 24 * hour)
    expect(told(await get('/api/v1/session'))).toEqual(stranger)
    await signIn()
    await name()
    const last = cookies.get('__Host-sav') ?? ''
    expect((await send('DELETE', '/api/v1/session', undefined)).status).toBe(200)
    cookies.set('__Host-sav', last)
    expect(told(await get('/api/v1/session'))).toEqual(stranger)
  })

  it('keeps its data if it was never registered as a phone in the field', async () => {
    const { id, get } = await phone({ role: 'administration', isNamed: false })
    await service.sav.sessions.endAll(actor, id)
    expect(told(await get('/api/v1/session'))).toEqual(stranger)
  })

  it('of an installer stays signed in for 30 days without a call; one of the office does not', async () => {
    const installer = await phone()
    const office = await phone({ role: 'administration' })
    await service.clock.advance(12 * hour - 1000)
    expect((await installer.get('/api/v1/session')).status).toBe(200)
    expect((await office.get('/api/v1/session')).status).toBe(200)
    expect((await office.name()).json.data.expire_a).toBe(new Date(service.clock.now() + 12 * hour).toISOString())
    await service.clock.advance(12 * hour)
    expect(told(await office.get('/api/v1/session'))).toEqual(stranger)
    expect((await installer.get('/api/v1/session')).status).toBe(200)
    // The office still sees both phones after months, and can end them.
    await service.clock.advance(380 * 24 * hour)
    const purged = service.sav.retention.purge()
    await service.clock.advance(hour)
    await purged
    for (const { id, get } of [office, installer]) {
      const [seen] = await service.sav.sessions.devices('default', id)
      expect(seen).toMatchObject({ nom: 'Téléphone', en_attente: 2 })
      await service.sav.sessions.end(actor, id, seen?.id ?? '')
      expect(told(await get('/api/v1/session'))).toEqual(ended)
    }
  })
})
