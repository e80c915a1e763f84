import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { exampleFolder, start } from './running.js'

const directory = exampleFolder()
const secretKey = Buffer.alloc(32, 7).toString('base64')

/** Starts an example on a new database. Resolves to the address and the key in the line that it prints when ready. */
async function ready(name: string, line: RegExp) {
  const example = start(name, { SHOP_DB: join(directory, `${name}.db`), SHOP_KEY: secretKey, PORT: '0' })
  const { value = '' } = await example.next()
  const { url = '', key = '' } = line.exec(value)?.groups ?? {}
  return { example, url, key }
}

const withKey = /^listening on (?<url>http:\/\/127\.0\.0\.1:\d+) with the key (?<key>sav_live_\w+)$/
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
const jsonOf = async (answer: Promise<Response>): Promise<any> => (await answer).json()
const image = `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 0, 0]).toString('base64')}`

describe.each(['embed-express', 'embed-fastify', 'embed-hono', 'embed-nest'])('the example %s', (name) => {
  it('serves the API under its path, beside pages of its own, and ends cleanly', async () => {
    const { example, url, key } = await ready(name, withKey)
    const call = (method: string, path: string, body?: unknown) =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'x-request-timestamp': String(Math.floor(Date.now() / 1000)),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })

    const client = await jsonOf(call('POST', '/sav/api/v1/clients', { nom: 'Lefèvre', prenom: 'Zoé' }))
    const input = { client_id: client.data.id, description: 'La porte du four ne ferme plus.', photos: [image] }
    const made = await call('POST', '/sav/api/v1/sav', input)
    expect([made.status, made.headers.get('location')]).toEqual([201, '/sav/api/v1/sav/1'])
    const shown = await jsonOf(call('GET', '/sav/api/v1/sav/1'))
    const photo = await call('GET', shown.data.photos[0].url)
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const refused = await fetch(`${url}/sav/api/v1/sav`)
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { success: false, error: 'Missing or invalid API key' },
    ])
    expect(await jsonOf(fetch(`${url}/sav/openapi.json`))).toMatchObject({ servers: [{ url: '/sav' }] })

    if (name !== 'embed-nest')
      expect(await jsonOf(call('POST', '/panier', ['tiroir']))).toEqual({ articles: ['tiroir'] })
    expect(await example.stop()).toEqual(name === 'embed-nest' ? [null, 'SIGTERM'] : [0, null])
  })
})

it('the example own-auth identifies people by their sessions, and names them in the history', async () => {
  const { example, url } = await ready('own-auth', /^listening on (?<url>.*)$/)
  const call = (session: string, method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: { cookie: `theme=dark; session=${session}`, 'content-type': 'application/json', ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const client = { nom: 'Lefèvre', prenom: 'Zoé' }
  const { data } = await jsonOf(call('s-zoe', 'POST', '/api/v1/clients', client))
  const input = { client_id: data.id, description: 'Le plan de travail est fendu.' }
  expect((await call('s-zoe', 'POST', '/api/v1/sav', input)).status).toBe(201)
  const shown = await jsonOf(call('s-max', 'GET', '/api/v1/sav/1'))
  expect(shown.data.historique[0].acteur).toEqual({ type: 'utilisateur', id: 'zoe', nom: 'Zoé Martin' })
  expect((await call('s-max', 'POST', '/api/v1/sav', input)).status).toBe(403)
  expect((await call('s-eve', 'GET', '/api/v1/sav/1')).status).toBe(401)
  const elsewhere = await call('s-zoe', 'POST', '/api/v1/sav', input, { origin: 'https://evil.example' })
  expect(elsewhere.status).toBe(401)
  expect(await example.stop()).toEqual([0, null])
})

it('the example embed-next opens the service at the first call, answers under its path, and ends cleanly', async () => {
  const contract = 'http://shop.test/sav/openapi.json'
  const code = `const { GET, POST } = await import('./app/sav/[...path]/route.ts')
    const told = await GET(new Request('${contract}'))
    const refused = await POST(new Request('${contract}', { method: 'POST' }))
    console.log(told.status, JSON.stringify((await told.json()).servers), refused.status)
    process.kill(process.pid, 'SIGTERM')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: join(import.meta.dirname, 'embed-next'),
    env: { PATH: process.env['PATH'], SHOP_DB: join(directory, 'next.db'), SHOP_KEY: secretKey },
  })
  expect(stdout).toMatch(/^\/sav answers with the key sav_live_\w+\n200 \[{"url":"\/sav"}\] 405\n$/)
})

it('the example embed-with-own-transaction commits both a case and its own rows, or neither', async () => {
  const file = join(directory, 'own-transaction.db')
  const example = start('embed-with-own-transaction', { SHOP_DB: file, SHOP_KEY: secretKey })
  expect((await example.next()).value).toBe('1 case, 1 order; refused: no part was named')
})
