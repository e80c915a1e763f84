import { expect, it } from 'vitest'
import { receiverOf } from './receiver.js'
import { call, local, readyWorkplace, workplace } from './workplace.js'

it('creating and closing a case each send a verified webhook, and the evidence of the close is valid', async () => {
  const shop = await workplace()
  expect((await shop.sav('init')).code).toBe(0)
  const { id: client_id } = await shop.json<{ id: number }>('clients add --nom Durand --prenom Hélène')
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

  // A command closes the case in the same store while the service runs.
  const closed = await shop.json<{ hash_sha256: string }>(`cases close ${reference} --resolution 'Charnière remplacée'`)
  const [, closing] = await atelier.received(2)
  expect(closing).toMatchObject({
    event: 'sav.closed',
    data: { reference, hash_sha256: closed.hash_sha256, sequence: 1 },
  })
  expect(await call(url, key, 'GET', '/api/v1/sav/1')).toMatchObject({ body: { data: { statut: 'clos' } } })

  await expect.poll(() => shop.json('webhooks history --state delivered')).toHaveLength(2)
  expect(await shop.json('evidence verify')).toEqual({ checked: 1, broken: [] })
  expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
  expect(service.stdout).toBe(`listening on ${url}\n`)
})

it('sav worker delivers for a `serve --no-worker`', async () => {
  const shop = await readyWorkplace()
  const key = await shop.newKey()
  const atelier = await receiverOf(shop)
  const url = await shop.serve('--no-worker').url()
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'En attente du facteur' })
  expect(await shop.json('webhooks history')).toMatchObject([{ state: 'pending', attempt_count: 0 }])
  const worker = shop.start('worker', local)
  await atelier.received(1)
  await worker.prints(/"delivered"/, 'stderr')
  expect(await worker.kill('SIGTERM')).toMatchObject({ code: 0 })
  expect(await shop.json('webhooks history')).toMatchObject([{ state: 'delivered' }])
})
