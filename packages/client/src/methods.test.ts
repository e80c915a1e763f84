import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { gzipSync } from 'node:zlib'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createClient } from './client.js'
import { operations } from './methods.gen.js'
import { createMethods } from './methods.js'

/** Methods, and the calls that they made. */
function recorded(answer: object = { success: true, data: [] }) {
  const calls: string[] = []
  const client = createClient({
    baseUrl: 'https://sav.example',
    key: 'sav_live_x',
    async fetch(url, { method, headers, body }) {
      const curseur = new URL(url).searchParams.has('curseur') ? null : 'suite'
      const sent = [method, url.replace('https://sav.example', ''), body ?? '', headers['if-match'] ?? '']
      calls.push(sent.join(' ').trim())
      return Response.json({ ...answer, pagination: { curseur } }, { headers: { 'X-Request-Id': 'a' } })
    },
  })
  return { calls, sav: createMethods(client) }
}

describe('methods by name', () => {
  it('take the parameters of the path first, then the query or the body, then headers', async () => {
    const { calls, sav } = recorded()
    await sav.cases.list({ statut: 'ouvert', limite: 5 })
    await sav.cases.list()
    await sav.cases.get(7)
    await sav.cases.update(7, { statut: 'en_cours' }, { headers: { 'If-Match': '"3"' } })
    await sav.cases.getFile(7, 'ab'.repeat(32))
    await sav.webhooks.retry('dlv_01')
    await sav.keys.revoke('key_01', { headers: { 'If-Match': '"1"' } })
    await sav.planning.book({ poseur_id: 3, debut: '2026-03-16T08:00:00Z', duree_minutes: 60, client_id: 1 })
    expect(calls).toEqual([
      'GET /api/v1/sav?statut=ouvert&limite=5',
      'GET /api/v1/sav',
      'GET /api/v1/sav/7',
      'PUT /api/v1/sav/7 {"statut":"en_cours"} "3"',
      `GET /api/v1/sav/7/fichiers/${'ab'.repeat(32)}`,
      'POST /api/v1/webhooks/livraisons/dlv_01/rejouer',
      'DELETE /api/v1/cles/key_01  "1"',
      'POST /v1/planning/rdv {"poseur_id":3,"debut":"2026-03-16T08:00:00Z","duree_minutes":60,"client_id":1}',
    ])
  })

  it('walk a list page after page', async () => {
    const { calls, sav } = recorded({ success: true, data: [{ reference: 'SAV-2026-00001' }] })
    const found: string[] = []
    for await (const { reference } of sav.cases.each({ statut: 'clos', limite: 1 })) found.push(reference)
    expect(found).toHaveLength(2)
    expect(calls.at(-1)).toBe('GET /api/v1/sav?statut=clos&limite=1&curseur=suite')
  })

  it('have typed arguments and answers', () => {
    const { sav } = recorded()
    expectTypeOf(sav.cases.create).parameter(0).toHaveProperty('client_id').toEqualTypeOf<number>()
    expectTypeOf<Awaited<ReturnType<typeof sav.cases.get>>['data']['reference']>().toEqualTypeOf<string>()
    // @ts-expect-error: a case is not created out of nothing
    expectTypeOf(sav.cases.create).toBeCallableWith()
  })

  it('have at most 6 kB of code, compressed', () => {
    expect(Object.values(operations).flatMap((group) => Object.keys(group)).length).toBeGreaterThan(80)
    const code = ['methods.ts', 'methods.gen.ts'].map((file) =>
      stripTypeScriptTypes(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')),
    )
    expect(gzipSync(code.join('\n')).length).toBeLessThan(6_000)
  })
})

it('the planning can be called at both of its paths', async () => {
  const urls: string[] = []
  const client = createClient({
    baseUrl: 'https://sav.example',
    fetch: async (url) => {
      urls.push(url)
      const pagination = { page: 1, limite: 50, total: 0, curseur: null }
      return Response.json({ success: true, data: [], pagination }, { headers: { 'X-Request-Id': 'a' } })
    },
  })
  const [first, second] = await Promise.all([client.get('/v1/planning'), client.get('/api/v1/planning')])
  expectTypeOf(first).toEqualTypeOf(second)
  await client.patch('/api/v1/planning/{id}', { params: { id: 4 }, body: { statut: 'confirme' } })
  expect(urls.at(-1)).toBe('https://sav.example/api/v1/planning/4')
})
