import { describe, expect, it } from 'vitest'
import { routes } from '../../../../test/whole/routes.js'
import { createSignIn } from '../../../people/src/routes/sign-in.js'
import { browserOn, signIn } from '../../test/browser.js'
import { apiRequest, fetchDoor, openService, type Service } from '../../test/service.js'
import { sessionCookie } from '../http/cookies.js'
import { pathParam } from '../http/path-params.js'
import { spellingsOf } from './router.js'

const origin = 'https://sav.petit.example'
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PROPFIND']

/** Every existing path, and some paths that do not exist. */
function everyPath({ sav }: Service): string[] {
  const ofContract = routes.flatMap(({ path }) => spellingsOf(path))
  const filled = ofContract.map((path) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => String(pathParam(name).example)),
  )
  const ofSignIn = createSignIn({ fonctions: [], sav, publicUrl: origin }).routes.keys()
  return [...new Set([...filled, ...ofSignIn, '/', '*', '/nowhere', '/api/v1/nowhere', '/app/session/nowhere', '/%zz'])]
}

/** The headers of a call without a valid key or session. */
async function strangers(service: Service): Promise<Readonly<Record<string, string>>[]> {
  const browser = browserOn(fetchDoor(service.api), service, origin)
  await signIn(browser, service, 'gestion')
  const living = `${sessionCookie}=${browser.cookies.get(sessionCookie)}`
  await signIn(browser, service, 'gestion')
  const ended = `${sessionCookie}=${browser.cookies.get(sessionCookie)}`
  expect((await browser.send('DELETE', '/api/v1/session', undefined)).status).toBe(200)
  const page = { origin, 'sec-fetch-site': 'same-origin', 'x-sav-console': '1' }
  const revoked = await service.key(['admin'])
  const { id = '' } = (await service.sav.keys.list('default')).find(({ permissions }) => permissions.length === 1) ?? {}
  await service.sav.keys.revoke({ account_id: 'default', type: 'cli', id: null, nom: 'test' }, id)
  return [
    {},
    page,
    { authorization: 'Bearer x' },
    { authorization: `Bearer ${revoked}` },
    { cookie: living },
    { cookie: living, 'sec-fetch-site': 'cross-site' },
    { ...page, cookie: ended },
    { ...page, cookie: living, authorization: 'Bearer x' },
  ]
}

describe('calls without a key or a session', () => {
  it('are logged only as totals, whatever the path and method', async () => {
    const service = await openService(undefined, { publicUrl: origin })
    const { sav, api, calls, failures, storage } = service
    const ways = await strangers(service)
    await sav.audit.finish()
    calls.length = 0
    const rows = async (account_id: string | null) => storage.reads.audit.list(account_id, { limit: 1000 })
    const before = { own: await rows('default'), of: await rows(null) }

    let made = 0
    for (const path of everyPath(service))
      for (const method of methods)
        for (const way of ways) {
          made += 1
          const headers: Record<string, string> = { 'content-type': 'application/json', ...way }
          const { status } = await api(
            apiRequest({
              method,
              target: path,
              ip: `192.0.2.${made % 200}`,
              header: (name) => headers[name],
              readBody: async () => Buffer.from('{}'),
            }),
          )
          expect(calls.length, `${method} ${path} ${status} ${JSON.stringify(way)} is logged by itself`).toBe(0)
        }
    expect(made).toBeGreaterThan(3000)
    await sav.audit.finish()

    expect(calls).toHaveLength(6)
    expect(calls.reduce((sum, { calls: counted = 0 }) => sum + counted, 0)).toBe(made)
    expect(await rows('default')).toEqual(before.own)
    expect((await rows(null)).length - before.of.length).toBe(6)
    expect(failures).toEqual([])
  })

  it('are answered 500 if the host’s authentication fails, and the reason is logged once', async () => {
    const service = await openService(undefined, { authenticate: () => Promise.reject(new Error('the host failed')) })
    const door = fetchDoor(service.api)
    for (let n = 0; n < 20; n += 1) expect((await door.call('GET', '/api/v1/sav')).status).toBe(500)
    expect(service.failures).toMatchObject([{ status: 500, error: { message: 'the host failed' } }])
    await service.sav.audit.finish()
    expect(service.calls).toMatchObject([{ status: 500, calls: 20 }])
  })
})

describe('calls of a key with a wrong timestamp', () => {
  it('are logged as totals: one audit row and one log line for each key', async () => {
    const service = await openService()
    const { sav, storage, calls } = service
    const door = fetchDoor(service.api)
    const other = await service.key(['sav:write'])
    const late = { ...service.auth(), 'x-request-timestamp': '1' }
    for (let n = 0; n < 50; n += 1) expect((await door.call('POST', '/api/v1/sav', { headers: late })).status).toBe(401)
    for (let n = 0; n < 30; n += 1)
      await door.call('PUT', '/api/v1/sav/1', { headers: { ...late, authorization: `Bearer ${other}` } })
    // Calls from many addresses without a key, of which only some are logged.
    for (let n = 0; n < 20; n += 1)
      await service.api(
        apiRequest({ method: n % 2 ? 'GET' : 'OPTIONS', target: '/api/v1/nowhere', ip: `192.0.2.${n}` }),
      )
    expect(calls).toEqual([])
    await sav.audit.finish()
    const told = calls.filter(({ status, account_id }) => status === 401 && account_id === 'default')
    expect(told.map(({ calls: counted }) => counted)).toEqual([50, 30])
    expect(new Set(told.map(({ key_id }) => key_id)).size).toBe(2)
    const rows = (await storage.reads.audit.list('default', { limit: 1000 })).filter(({ status }) => status === 401)
    expect(rows.map(({ calls: counted }) => counted).toSorted()).toEqual([30, 50])
  })
})
