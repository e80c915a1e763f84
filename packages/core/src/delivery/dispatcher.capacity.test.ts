import { describe, expect, it } from 'vitest'
import { replacing } from '../../../planning/test/replacing.js'
import {
  attempts,
  dispatch,
  enqueue,
  heldChannel,
  house,
  leaseMs,
  minute,
  numbered,
  shown,
  timeoutMs,
  unsteady,
} from '../../test/dispatching.js'
import { httpAnswer, noAnswer, recordingChannel } from '../testing/index.js'
import type { Channel } from './channel.js'
import type { DeliveryQueue } from './delivery-queue.js'
import { OwnLimitError } from './own-limits.js'

describe('many receivers', () => {
  it('that never answer do not delay others', async () => {
    const { storage, clock } = await house(['wh_slow', 'wh_fast'])
    const channel = recordingChannel(({ delivery: { target } }) =>
      target === 'wh_fast'
        ? httpAnswer(200)
        : new Promise((resolve) =>
            clock.after(timeoutMs, () => resolve(noAnswer('timeout', { durationMs: timeoutMs }))),
          ),
    )
    dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, numbered('s', 200), 'wh_slow')
    await enqueue(storage, clock, numbered('f', 200), 'wh_fast')
    await clock.advance(3_000)
    const toFast = channel.sent.filter(({ delivery }) => delivery.target === 'wh_fast')
    expect(toFast).toHaveLength(200)
    expect(channel.sent.length - toFast.length).toBe(1)
  })

  it('that all answer get all their deliveries without waiting for the next poll', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, numbered('n', 300))
    await clock.advance(250)
    expect(channel.sent).toHaveLength(300)
  })

  it('get each retry once, even if more retries wait than a quarter of the slots', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel((attempt) => httpAnswer(attempt.delivery.attempt_count === 0 ? 500 : 200))
    dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, numbered('r', 40))
    await clock.advance(2 * minute)
    const retried = channel.sent.filter(({ delivery }) => delivery.attempt_count > 0).map(({ delivery }) => delivery.id)
    expect(retried.toSorted()).toEqual(numbered('dlv_r', 40))
  })

  it('never have more deliveries in progress than the total limit, nor one receiver more than its window', async () => {
    const targets = numbered('wh_', 6)
    const { storage, clock } = await house(targets)
    const channel = heldChannel()
    dispatch(clock, storage.queue, channel, { concurrency: { total: 8, perTarget: 3 } })
    for (const target of targets) await enqueue(storage, clock, numbered(`${target}_`, 40), target)
    await clock.advance(250)
    let answered = 0
    while (channel.waiting.length > 0) {
      expect(channel.waiting.length).toBeLessThanOrEqual(8)
      for (const target of targets)
        expect(channel.waiting.filter(({ delivery }) => delivery.target === target).length).toBeLessThanOrEqual(3)
      channel.answerNext()
      answered += 1
      await clock.advance(1)
    }
    expect(answered).toBe(240)
  })
})

describe('a delivery claimed ahead', () => {
  const release = (queue: DeliveryQueue, released: string[]): DeliveryQueue =>
    replacing(queue, {
      async release(deliveries) {
        released.push(...deliveries.map(({ id }) => id))
        await queue.release(deliveries)
      },
    })

  /** A dispatcher whose targets have all answered before, so that it claims ahead for them. */
  async function proven(targets: readonly string[], perTarget: number) {
    const { storage, clock } = await house(targets)
    const channel = heldChannel()
    const released: string[] = []
    const { dispatcher, observed } = dispatch(clock, release(storage.queue, released), channel, {
      concurrency: { total: 64, perTarget },
    })
    for (const target of targets) {
      for (let answers = 0; answers < 5; answers += 1) {
        await enqueue(storage, clock, [`${target}_${answers}`], target)
        await clock.advance(250)
        channel.answerNext()
        await clock.advance(250)
      }
    }
    const before = channel.sent.length
    const sent = () => channel.sent.slice(before).map(({ delivery }) => delivery.id)
    return { storage, clock, channel, dispatcher, observed, released, sent }
  }

  it('whose lease is too short when it gets a slot is released, and claimed again', async () => {
    const { storage, clock, channel, released, sent } = await proven(['wh_1'], 1)
    await enqueue(storage, clock, ['a', 'b', 'c'])
    await clock.advance(250)
    const claimedAt = channel.sent.at(-1)?.startedAt ?? 0
    expect(sent()).toEqual(['dlv_a'])
    await clock.advance(4_000)
    channel.answerNext()
    await clock.advance(claimedAt + leaseMs - timeoutMs + 1 - clock.now())
    expect(sent()).toEqual(['dlv_a', 'dlv_b'])
    channel.answerNext()
    await clock.advance(0)
    expect(released).toEqual(['dlv_c'])
    await clock.advance(250)
    expect(sent()).toEqual(['dlv_a', 'dlv_b', 'dlv_c'])
    const tokens = channel.sent.slice(-2).map(({ delivery }) => delivery.lease_token)
    expect(new Set(tokens).size).toBe(2)
    channel.answerNext()
    await clock.advance(250)
    expect(await attempts(storage, 'c')).toHaveLength(1)
  })

  it('is released at once when its target stops answering, unlike deliveries to other targets', async () => {
    const { storage, clock, channel, released, sent } = await proven(['wh_1', 'wh_2'], 4)
    await enqueue(storage, clock, numbered('n', 12), 'wh_1')
    await enqueue(storage, clock, numbered('m', 12), 'wh_2')
    await clock.advance(250)
    expect(sent()).toHaveLength(8)
    const index = channel.waiting.findIndex(({ delivery }) => delivery.target === 'wh_1')
    channel.waiting.splice(index, 1)[0]?.answer(noAnswer())
    await clock.advance(0)
    expect(released).toHaveLength(8)
    expect(released.every((id) => id.startsWith('dlv_n'))).toBe(true)
    // Three attempts at this target are still in progress, so no more are started before it answers.
    await clock.advance(1_000)
    expect(sent()).toHaveLength(8)
    expect(released).toHaveLength(8)
  })

  it('is released when the dispatcher stops, and another can claim it at once', async () => {
    const { storage, clock, channel, dispatcher, released } = await proven(['wh_1'], 4)
    await enqueue(storage, clock, numbered('n', 12))
    await clock.advance(250)
    const stopping = dispatcher.stop()
    await clock.advance(0)
    expect(released).toHaveLength(8)
    const heir = recordingChannel()
    dispatch(clock, storage.queue, heir)
    await clock.advance(500)
    expect(heir.sent).toHaveLength(8)
    while (channel.waiting.length > 0) channel.answerNext()
    await clock.advance(0)
    await stopping
    expect(await storage.queue.counts()).toEqual({ pending: 0, delivered: 17, failed: 0 })
  })

  it('waits while outcomes cannot be recorded', async () => {
    const { storage, clock } = await house(['wh_1', 'wh_2'])
    const channel = heldChannel()
    const away = { now: false }
    const gate = Promise.withResolvers<void>()
    const queue = replacing(storage.queue, {
      async claim(requests, lease) {
        const claimed = await storage.queue.claim(requests, lease)
        if (claimed.some(({ target }) => target === 'wh_2')) await gate.promise
        return claimed
      },
    })
    dispatch(clock, unsteady(queue, away, ['record']), channel)
    await enqueue(storage, clock, ['a'], 'wh_1')
    await clock.advance(250)
    await enqueue(storage, clock, ['b'], 'wh_2')
    await clock.advance(250)
    away.now = true
    channel.answerNext()
    await clock.advance(0)
    gate.resolve()
    await clock.advance(0)
    expect(channel.sent).toHaveLength(1)
    away.now = false
    await clock.advance(1_000)
    expect(channel.sent.map(({ delivery }) => delivery.id)).toEqual(['dlv_a', 'dlv_b'])
  })

  it.each([
    ['a fault of the channel', new Error('the proxy cannot be reached'), 0],
    ['a limit of our own for its target alone', new OwnLimitError('EADDRNOTAVAIL'), 3],
  ])('that meets %s is retried after pauses that double up to 30 s, with one fault each', async (_, fault, others) => {
    const { storage, clock, startedAt } = await house(['wh_1', 'wh_2'])
    const tried: number[] = []
    let isOpen = false
    const channel: Channel = {
      timeoutMs,
      async send({ target }) {
        if (isOpen || (others > 0 && target === 'wh_2')) return httpAnswer(200)
        tried.push(clock.now() - startedAt)
        throw fault
      },
    }
    const { observed } = dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a', 'b', 'c'], 'wh_1')
    await enqueue(storage, clock, ['d', 'e', 'f'], 'wh_2')
    await clock.advance(120_000)
    const faults = observed.filter(({ type }) => type === 'fault')
    expect(faults[0]).toEqual({ type: 'fault', doing: 'send', error: fault })
    expect(new Set(tried).size).toBe(faults.length)
    // The pauses are 250 ms, 500 ms … 16 s, and then 30 s each. Each may be longer by a poll.
    expect(faults.length).toBeGreaterThanOrEqual(9)
    expect(faults.length).toBeLessThanOrEqual(11)
    expect(await storage.queue.counts()).toEqual({ pending: 6 - others, delivered: others, failed: 0 })
    expect(await shown(storage)).toMatchObject({ state: 'pending', attempt_count: 0, last_error: null })

    isOpen = true
    await clock.advance(31_000)
    expect(await storage.queue.counts()).toEqual({ pending: 0, delivered: 6, failed: 0 })
  })

  it('for a disabled endpoint is released without an attempt or a fault', async () => {
    const { storage, clock } = await house(['wh_1', 'wh_2'])
    let sent = 0
    const channel: Channel = {
      timeoutMs,
      async send({ target }) {
        sent += 1
        return target === 'wh_1' ? null : httpAnswer(200)
      },
    }
    const released: string[] = []
    const { observed } = dispatch(clock, release(storage.queue, released), channel)
    await enqueue(storage, clock, ['a', 'b'], 'wh_1')
    await enqueue(storage, clock, ['c'], 'wh_2')
    await clock.advance(1_000)
    expect(released).toContain('dlv_a')
    expect(observed.map(({ type }) => type)).toEqual(['attempt'])
    expect(await shown(storage)).toMatchObject({ state: 'pending', attempt_count: 0 })
    expect(sent).toBeLessThan(10)
  })
})

describe('outcomes', () => {
  /** The sizes of the transactions in which outcomes are recorded. */
  function countingRecords(queue: DeliveryQueue, sizes: number[]): DeliveryQueue {
    return replacing(queue, {
      async record(outcomes) {
        sizes.push(outcomes.length)
        return queue.record(outcomes)
      },
    })
  }

  it('of a busy dispatcher share transactions, and wait at most 25 ms for others', async () => {
    const { storage, clock } = await house()
    const channel = heldChannel()
    const sizes: number[] = []
    dispatch(clock, countingRecords(storage.queue, sizes), channel)
    await enqueue(storage, clock, numbered('n', 60))
    await clock.advance(250)
    for (let answers = 0; answers < 31; answers += 1) {
      channel.answerNext()
      await clock.advance(0)
    }
    await clock.advance(30)
    sizes.length = 0
    for (let answers = 0; answers < 8; answers += 1) {
      channel.answerNext()
      await clock.advance(1)
    }
    await clock.advance(16)
    expect(sizes).toEqual([])
    await clock.advance(2)
    expect(sizes).toEqual([8])
  })

  it('that arrive while others are being recorded also wait up to 25 ms for others', async () => {
    const targets = ['wh_1', 'wh_2', 'wh_3', 'wh_4']
    const { storage, clock } = await house(targets)
    const channel = heldChannel()
    const sizes: number[] = []
    const recorded = Promise.withResolvers<void>()
    const slow = replacing(storage.queue, {
      async record(outcomes) {
        if (sizes.push(outcomes.length) === 1) await recorded.promise
        return storage.queue.record(outcomes)
      },
    })
    dispatch(clock, slow, channel)
    for (const target of targets) await enqueue(storage, clock, [`to_${target}`], target)
    await clock.advance(250)
    channel.answerNext()
    await clock.advance(30)
    expect(sizes).toEqual([1])
    for (let answers = 0; answers < 2; answers += 1) channel.answerNext()
    await clock.advance(30)
    recorded.resolve()
    await clock.advance(24)
    expect(sizes).toEqual([1])
    await clock.advance(2)
    expect(sizes).toEqual([1, 2])
  })

  it('of the last attempt in progress are recorded at once', async () => {
    const { storage, clock } = await house()
    const channel = heldChannel()
    const sizes: number[] = []
    dispatch(clock, countingRecords(storage.queue, sizes), channel)
    await enqueue(storage, clock, ['a'])
    await clock.advance(250)
    channel.answerNext()
    await clock.advance(0)
    expect(sizes).toEqual([1])
  })
})
