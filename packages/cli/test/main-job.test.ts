import { describe, expect, it } from 'vitest'
import { receiverOf } from './receiver.js'
import { call, local, readyWorkplace, workplace } from './workplace.js'

describe('the main job', () => {
  it('takes a case from its creation to a verified webhook, its closing and its evidence', async () => {
    const shop = await workplace()
    expect((await shop.sav(['init'])).code).toBe(0)
    const { id: client_id } = await shop.json<{ id: number }>([
      'clients',
      'add',
      '--nom',
      'Durand',
      '--prenom',
      'Hélène',
    ])
    const key = await shop.newKey()
    const atelier = await receiverOf(shop)

    const service = shop.serve()
    const url = await service.url()
    const created = await call(url, key, 'POST', '/api/v1/sav', {
      client_id,
      description: 'La porte du four ne ferme plus',
    })
    expect(created).toMatchObject({ status: 201, body: { success: true, data: { id: 1 } } })
    const { reference } = created.body.data
    expect(await atelier.received(1)).toMatchObject([{ event: 'sav.created', data: { id: 1, reference } }])

    // Another process on the same file, while the service runs.
    const closed = await shop.json<{ hash_sha256: string }>([
      'cases',
      'close',
      reference,
      '--resolution',
      'Charnière remplacée',
    ])
    const [, closing] = await atelier.received(2)
    expect(closing).toMatchObject({
      event: 'sav.closed',
      data: { reference, hash_sha256: closed.hash_sha256, sequence: 1 },
    })
    expect(await call(url, key, 'GET', '/api/v1/sav/1')).toMatchObject({ body: { data: { statut: 'clos' } } })

    await expect.poll(() => shop.json(['webhooks', 'history', '--state', 'delivered'])).toHaveLength(2)
    expect(await shop.json(['evidence', 'verify'])).toEqual({
      checked: 1,
      broken: [],
    })
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
    expect(service.stdout).toBe(`listening on ${url}\n`)
  })
})

describe('sav worker', () => {
  it('delivers for a `serve --no-worker`', async () => {
    const shop = await readyWorkplace()
    const key = await shop.newKey()
    const atelier = await receiverOf(shop)
    const url = await shop.serve('--no-worker').url()
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'En attente du facteur' })
    expect(await shop.json(['webhooks', 'history'])).toMatchObject([{ state: 'pending', attempt_count: 0 }])
    const worker = shop.start(['worker'], local)
    await atelier.received(1)
    await worker.prints(/"delivered"/, 'stderr')
    expect(await worker.kill('SIGTERM')).toMatchObject({ code: 0 })
    expect(await shop.json(['webhooks', 'history'])).toMatchObject([{ state: 'delivered' }])
  })
})

describe('a retry by the CLI', () => {
  it('is sent by the running worker', async () => {
    const shop = await readyWorkplace()
    const atelier = await receiverOf(shop)
    const service = shop.serve()
    await service.url()
    await shop.json(['cases', 'create', '--client-id', '1', '--description', 'Une porte à ravoir'])
    await atelier.received(1)
    await service.prints(/"state":"delivered"/, 'stderr')
    const [delivery] = await shop.json<{ id: string }[]>(['webhooks', 'history'])
    expect(await shop.json(['webhooks', 'retry', delivery?.id ?? ''])).toEqual({ matched: 1, retried: 1 })
    await atelier.received(2)
    await service.prints(/"attempt":2/, 'stderr')
    const shown = await shop.json<{ attempts: { n: number }[] }>(['webhooks', 'show', delivery?.id ?? ''])
    expect(shown).toMatchObject({
      attempt_count: 2,
      attempts: [
        { n: 1, status: 200 },
        { n: 2, status: 200 },
      ],
    })
  })
})

describe('CLI and server on the same file', () => {
  it('write at the same time without refusing anybody, and count references without a gap', async () => {
    const shop = await readyWorkplace()
    const key = await shop.newKey()
    const url = await shop.serve().url()
    const create = ['cases', 'create', '--client-id', '1', '--description', 'Par la ligne de commande']
    const [byHttp, byCli] = await Promise.all([
      Promise.all(
        Array.from({ length: 100 }, () =>
          call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'Par le réseau' }),
        ),
      ),
      Promise.all(Array.from({ length: 4 }, () => shop.start([...create, '--json']).ended())),
    ])
    expect(byHttp.map(({ status }) => status)).toEqual(byHttp.map(() => 201))
    expect(byCli.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    const listed = await shop.json<{ reference: string }[]>(['cases', 'list', '--limite', '200'])
    const numbers = listed.map(({ reference }) => Number(reference.slice(9))).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 104 }, (_, index) => index + 1))
  })
})
