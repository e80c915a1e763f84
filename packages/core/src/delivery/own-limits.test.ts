import { describe, expect, it } from 'vitest'
import { dispatch, enqueue, house, shown, timeoutMs } from '../../test/dispatching.js'
import { openSav } from '../../test/open-sav.js'
import { httpAnswer } from '../testing/index.js'
import { toInstant } from '../time/time.js'
import type { Channel } from './channel.js'
import { lastMetLimit, OwnLimitError } from './own-limits.js'

describe('a limit of our own', () => {
  it('counts no attempt, and pauses only its target', async () => {
    const { storage, clock, startedAt } = await house(['wh_1', 'wh_2'])
    const tried: number[] = []
    let isShort = true
    const channel: Channel = {
      timeoutMs,
      async send({ target }) {
        if (target === 'wh_2' || !isShort) return httpAnswer(200)
        tried.push(clock.now() - startedAt)
        throw new OwnLimitError('EADDRNOTAVAIL')
      },
    }
    const { observed } = dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a', 'b', 'c'], 'wh_1')
    await clock.advance(60_000)
    await enqueue(storage, clock, ['d', 'e', 'f'], 'wh_2')
    await clock.advance(1_000)
    expect(await storage.queue.counts()).toEqual({ pending: 3, delivered: 3, failed: 0 })
    expect(await shown(storage)).toMatchObject({ state: 'pending', attempt_count: 0, last_error: null })
    // 250 ms, 500 ms … 16 s, 30 s; each may be late by a poll.
    expect(tried.length).toBeGreaterThanOrEqual(7)
    expect(tried.length).toBeLessThanOrEqual(9)
    const faults = observed.filter(({ type }) => type === 'fault')
    expect(faults).toHaveLength(tried.length)
    expect(faults[0]).toEqual({ type: 'fault', doing: 'send', error: expect.any(OwnLimitError) })

    isShort = false
    await clock.advance(31_000)
    expect(await storage.queue.counts()).toEqual({ pending: 0, delivered: 6, failed: 0 })
  })

  it('that a worker reached is stored for other processes, with its time', async () => {
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
})
