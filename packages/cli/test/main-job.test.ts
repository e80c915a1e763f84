import { describe, expect, it } from 'vitest'
import { receiver } from './receiver.js'
import { call, local, readyWorkplace, workplace } from './workplace.js'

describe('the main job', () => {
  it('takes a case from its creation to a verified webhook, its closing and its evidence', async () => {
    const place = await workplace()
    expect((await place.sav(['init'])).code).toBe(0)
    const { id: client_id } = await place.json<{ id: number }>([
      'clients',
      'add',
      '--nom',
      'Durand',
      '--prenom',
      'Hélène',
    ])
    const key = await place.newKey()
    const atelier = await receiver()
    const { secret } = await place.json<{ secret: string }>(['webhooks', 'add', atelier.url, '--all-events'], local)
    atelier.trust(secret)

    const service = place.serve()
    const url = await service.url()
    const created = await call(url, key, 'POST', '/api/v1/sav', {
      client_id,
      description: 'La porte du four ne ferme plus',
    })
    expect(created).toMatchObject({ status: 201, body: { success: true, data: { id: 1 } } })
    const { reference } = created.body.data
    expect(await atelier.received(1)).toMatchObject([{ event: 'sav.created', data: { id: 1, reference } }])

    // Another process on the same file, while the service runs.
    const closed = await place.json<{ hash_sha256: string }>([
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

    await expect.poll(() => place.json(['webhooks', 'history', '--state', 'delivered'])).toHaveLength(2)
    expect(await place.json(['evidence', 'verify'])).toEqual({ checked: 1, broken: [] })
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
    expect(service.stdout).toBe(`listening on ${url}\n`)
  })
})

describe('sav worker', () => {
  it('delivers what a `serve --no-worker` took', async () => {
    const place = await readyWorkplace()
    const key = await place.newKey()
    const atelier = await receiver()
    const { secret } = await place.json<{ secret: string }>(['webhooks', 'add', atelier.url, '--all-events'], local)
    atelier.trust(secret)
    const url = await place.serve('--no-worker').url()
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'En attente du facteur' })
    expect(await place.json(['webhooks', 'history'])).toMatchObject([{ state: 'pending', attempt_count: 0 }])
    const worker = place.start(['worker'], local)
    await atelier.received(1)
    await worker.prints(/"delivered"/, 'stderr')
    expect(await worker.kill('SIGTERM')).toMatchObject({ code: 0 })
    expect(await place.json(['webhooks', 'history'])).toMatchObject([{ state: 'delivered' }])
  })
})

describe('a retry by the CLI', () => {
  it('is sent by the running worker within 250 ms', async () => {
    const place = await readyWorkplace()
    const atelier = await receiver()
    const { secret } = await place.json<{ secret: string }>(['webhooks', 'add', atelier.url, '--all-events'], local)
    atelier.trust(secret)
    const service = place.serve()
    await service.url()
    await place.json(['cases', 'create', '--client-id', '1', '--description', 'Une porte à ravoir'])
    await atelier.received(1)
    await service.prints(/"state":"delivered"/, 'stderr')
    const [delivery] = await place.json<{ id: string }[]>(['webhooks', 'history'])
    expect(await place.json(['webhooks', 'retry', delivery?.id ?? ''])).toEqual({ matched: 1, retried: 1 })
    const retriedAt = performance.now()
    await atelier.received(2)
    // 250 ms, and what a busy machine adds.
    expect(performance.now() - retriedAt).toBeLessThan(500)
    await service.prints(/"attempt":2/, 'stderr')
    const shown = await place.json<{ attempts: { n: number }[] }>(['webhooks', 'show', delivery?.id ?? ''])
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
    const place = await readyWorkplace()
    const key = await place.newKey()
    const url = await place.serve().url()
    const create = ['cases', 'create', '--client-id', '1', '--description', 'Par la ligne de commande']
    const [byHttp, byCli] = await Promise.all([
      Promise.all(
        Array.from({ length: 100 }, () =>
          call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'Par le réseau' }),
        ),
      ),
      Promise.all(Array.from({ length: 4 }, () => place.start([...create, '--json']).ended())),
    ])
    expect(byHttp.map(({ status }) => status)).toEqual(byHttp.map(() => 201))
    expect(byCli.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    const listed = await place.json<{ reference: string }[]>(['cases', 'list', '--limite', '200'])
    const numbers = listed.map(({ reference }) => Number(reference.slice(9))).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 104 }, (_, index) => index + 1))
  })
})
