import type { Api } from '@sav/http-node'
import { describe, expect, it } from 'vitest'
import { withConsole } from './console.js'

const asked: string[] = []
const api: Api = async ({ target }) => {
  asked.push(target)
  return { status: 404, headers: [], body: 'api' }
}

const get = (target: string, accept?: string, method = 'GET') =>
  withConsole(api)({
    method,
    target,
    ip: '127.0.0.1',
    context: undefined,
    header: (name) => (name === 'accept' ? accept : undefined),
    readBody: async () => null,
  })

describe('the console beside the API', () => {
  it('redirects only browsers from / to itself', async () => {
    const page = 'text/html,application/xhtml+xml'
    expect(await get('/', page)).toMatchObject({ status: 302, headers: expect.arrayContaining(['Location', '/app']) })
    for (const answer of [await get('/', 'application/json'), await get('/'), await get('/', page, 'POST')])
      expect(answer.body).toBe('api')
  })

  it.each([
    '/app/session/methodes',
    '/app/session/oidc/retour?code=1',
    '/api/v1/sav',
    '/apps',
    '/application',
    '/docs',
  ])('leaves %s to the API', async (target) => {
    expect((await get(target)).body).toBe('api')
    expect(asked.at(-1)).toBe(target)
  })

  it.each(['/app', '/app/', '/app/dossiers/7', '/app?vue=1', '/app/assets/none.js'])('answers %s', async (target) => {
    expect((await get(target)).body).not.toBe('api')
  })
})
