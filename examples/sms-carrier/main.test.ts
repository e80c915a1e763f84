import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createSav } from '@sav/http-node'
import { memoryStorage } from '@sav/storage-kysely/testing'
import { expect, test } from 'vitest'
import { smsCarrier } from './main.js'

test('a client without an e-mail address gets the report of a close by SMS', async () => {
  const sent = Promise.withResolvers<{ readonly key: unknown; readonly message: unknown }>()
  const provider = createServer(async (request, response) => {
    sent.resolve({ key: request.headers['idempotency-key'], message: JSON.parse(await text(request)) })
    response.end()
  })
  await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening))
  const { port } = provider.address() as AddressInfo

  const sav = createSav({
    storage: await memoryStorage(),
    secretKey: new Uint8Array(32),
    letters: ['sms'],
    reports: {
      renderer: { render: async () => new TextEncoder().encode('%PDF') },
      carriers: { sms: smsCarrier(`http://127.0.0.1:${port}/messages`) },
    },
  })
  await sav.start()
  const actor = { account_id: 'default', type: 'systeme', id: null, nom: 'test' } as const
  const client = await sav.directory.clients.add(actor, { nom: 'Lefèvre', prenom: 'Zoé', telephone: '06 12 34 56 78' })
  const { id, reference } = await sav.cases.create(actor, {
    client_id: client.id,
    description: 'La porte du four ne ferme plus.',
  })
  await sav.cases.close(actor, id, { resolution: 'Charnière remplacée, porte réglée.' })

  expect(await sent.promise).toEqual({
    key: expect.stringMatching(/^dlv_/),
    message: { to: '+33612345678', text: `${reference} est clos.` },
  })
  await sav.close()
  const { canaux } = (await sav.cases.get('default', id)).pv ?? {}
  expect(canaux).toContainEqual(expect.objectContaining({ canal: 'sms', statut: 'envoye' }))
  provider.close()
})
