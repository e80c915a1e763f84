import { fixedClock } from '@sav/core/testing'
import { createSav } from '@sav/http-node'
import { memoryStorage } from '@sav/storage-kysely/testing'
import { expect, test } from 'vitest'
import { billClosedCases } from './main.js'

test('a closed case is billed', async () => {
  const clock = fixedClock(Date.UTC(2026, 0, 15))
  const sav = createSav({ storage: await memoryStorage(), secretKey: new Uint8Array(32), clock })
  const billed: string[] = []
  billClosedCases(sav, (reference) => billed.push(reference))
  await sav.start()

  const actor = { account_id: 'default', type: 'systeme', id: null, nom: 'test' } as const
  const client = await sav.directory.clients.add(actor, { nom: 'Lefèvre', prenom: 'Zoé' })
  const { id } = await sav.cases.create(actor, { client_id: client.id, description: 'La porte du four ne ferme plus.' })
  await sav.cases.close(actor, id, { resolution: 'Charnière remplacée, porte réglée.' })
  await clock.advance(1_000)
  expect(billed).toEqual(['SAV-2026-00001'])
  await sav.close()
})
