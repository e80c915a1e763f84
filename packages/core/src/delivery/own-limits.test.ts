import { expect, it } from 'vitest'
import { openSav } from '../../test/open-sav.js'
import { toInstant } from '../time/time.js'
import { lastMetLimit, OwnLimitError } from './own-limits.js'

it('a limit of its process or machine that a worker reached is stored for other processes, with the time', async () => {
  const http = {
    post: () => Promise.reject(new OwnLimitError('EMFILE')),
    close: async () => {},
  }
  const { sav, storage, clock, worker, client, actor } = await openSav({ http })
  expect(await lastMetLimit(storage.reads)).toBeNull()
  await sav.webhooks.endpoints.add(actor, { url: 'https://receiver.example/', events: ['sav.created'] })
  await sav.cases.create(actor, { client_id: client.id, description: 'La porte du four ne ferme plus.' })
  worker.start()
  const at = toInstant(clock.now())
  await clock.advance(0)
  await worker.stop()
  expect(await lastMetLimit(storage.reads)).toEqual({ limit: 'EMFILE', at })
})
