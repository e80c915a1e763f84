import { describe, expect, it } from 'vitest'
import { replacing } from '../../../planning/test/replacing.js'
import { dispatch, enqueue, heldChannel, house, minute, shown, unsteady } from '../../test/dispatching.js'
import { type FixedClock, recordingChannel } from '../testing/index.js'

describe('waking', () => {
  it('starts due deliveries at once', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await clock.advance(10)
    await enqueue(storage, clock, ['a'])
    await clock.advance(0)
    expect(channel.sent).toHaveLength(0)
    dispatcher.wake()
    await clock.advance(0)
    expect(channel.sent).toHaveLength(1)
  })

  it('is not needed: a due delivery starts within 250 ms without it', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    dispatch(clock, storage.queue, channel)
    for (let created = 1; created <= 20; created += 1) {
      await enqueue(storage, clock, [`${created}`])
      await clock.advance(250)
      expect(channel.sent).toHaveLength(created)
      await clock.advance(97)
    }
  })

  it('while the dispatcher looks at the queue makes it look again at once', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const looking = Promise.withResolvers<void>()
    let first = true
    const queue = replacing(storage.queue, {
      async due(now) {
        const due = await storage.queue.due(now)
        if (first) await looking.promise
        first = false
        return due
      },
    })
    const { dispatcher } = dispatch(clock, queue, channel)
    await clock.advance(0)
    await enqueue(storage, clock, ['a'])
    dispatcher.wake()
    looking.resolve()
    await clock.advance(0)
    expect(channel.sent).toHaveLength(1)
  })

  it('starts due deliveries at once, even if an outcome is recorded before it looks at the queue', async () => {
    const { storage, clock } = await house(['wh_1', 'wh_2'])
    const channel = heldChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a'])
    dispatcher.wake()
    await clock.advance(0)
    dispatcher.wake()
    channel.answerNext()
    await new Promise((resolve) => setImmediate(resolve))
    await enqueue(storage, clock, ['b'], 'wh_2')
    dispatcher.wake()
    await clock.advance(0)
    expect(channel.sent.map(({ delivery }) => delivery.id)).toEqual(['dlv_a', 'dlv_b'])
  })

  it('starts due deliveries at once after a stop and a new start', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await clock.advance(10)
    dispatcher.wake()
    await dispatcher.stop()
    dispatcher.start()
    await clock.advance(0)
    await enqueue(storage, clock, ['a'])
    dispatcher.wake()
    await clock.advance(0)
    expect(channel.sent).toHaveLength(1)
  })

  it('repeatedly, faster than timers fire, does not postpone the look at the queue', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const coarse: FixedClock = { ...clock, after: (delayMs, callback) => clock.after(delayMs + 1, callback) }
    const { dispatcher } = dispatch(coarse, storage.queue, channel)
    await clock.advance(10)
    await enqueue(storage, clock, ['a'])
    for (let wakes = 0; wakes < 10; wakes += 1) {
      dispatcher.wake()
      await clock.advance(0.5)
    }
    expect(channel.sent).toHaveLength(1)
  })

  it('does nothing while stopped', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await dispatcher.stop()
    await enqueue(storage, clock, ['a'])
    dispatcher.wake()
    await clock.advance(1 * minute)
    expect(channel.sent).toHaveLength(0)
  })
})

describe('stopping', () => {
  it('waits for the attempt in progress, and records it', async () => {
    const { storage, clock } = await house()
    const channel = heldChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a'])
    await clock.advance(250)
    let stopped = false
    const stopping = dispatcher.stop().then(() => {
      stopped = true
    })
    await clock.advance(4_000)
    expect(stopped).toBe(false)
    channel.answerNext()
    await stopping
    expect(await shown(storage)).toMatchObject({ state: 'delivered', attempt_count: 1 })
  })

  it('starts nothing new, and releases claimed deliveries', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const claiming = Promise.withResolvers<void>()
    let stopping = Promise.resolve()
    const queue = replacing(storage.queue, {
      async claim(requests, lease) {
        const taken = await storage.queue.claim(requests, lease)
        stopping = dispatcher.stop()
        claiming.resolve()
        return taken
      },
    })
    await enqueue(storage, clock, ['a'])
    const { dispatcher } = dispatch(clock, queue, channel)
    await claiming.promise
    await stopping
    expect(channel.sent).toHaveLength(0)
    const heir = recordingChannel()
    dispatch(clock, storage.queue, heir)
    await clock.advance(250)
    expect(heir.sent).toHaveLength(1)
  })

  it('twice resolves both times', async () => {
    const { storage, clock } = await house()
    const channel = heldChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a'])
    await clock.advance(250)
    const both = Promise.all([dispatcher.stop(), dispatcher.stop()])
    channel.answerNext()
    await both
    expect(await shown(storage)).toMatchObject({ state: 'delivered' })
  })

  it('waits until the outcome is recorded, even if the store is unavailable for a while', async () => {
    const { storage, clock } = await house()
    const away = { now: false }
    const channel = heldChannel()
    const { dispatcher } = dispatch(clock, unsteady(storage.queue, away, ['record']), channel)
    await enqueue(storage, clock, ['a'])
    await clock.advance(250)
    const stopping = dispatcher.stop()
    away.now = true
    channel.answerNext()
    await clock.advance(2_000)
    expect(await shown(storage)).toMatchObject({ state: 'pending', attempt_count: 0 })
    away.now = false
    await clock.advance(1_000)
    await stopping
    expect(await shown(storage)).toMatchObject({ state: 'delivered', attempt_count: 1 })
  })
})
