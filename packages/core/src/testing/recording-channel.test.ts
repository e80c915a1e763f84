import { expect, it } from 'vitest'
import { claimedDelivery } from '../../../storage-contract/src/samples/queue-samples.js'
import { httpAnswer, noAnswer, recordingChannel } from './recording-channel.js'

const delivery = claimedDelivery()
const attempt = { startedAt: 7 }

it('a recording channel accepts and keeps everything', async () => {
  const channel = recordingChannel()
  expect(await channel.send(delivery, attempt)).toMatchObject({ ok: true, status: 200, error: null })
  expect(channel.sent).toEqual([{ delivery, startedAt: 7 }])
})

it('a recording channel answers from its list, the last result for all that follow', async () => {
  const channel = recordingChannel([httpAnswer(500), noAnswer()])
  const results = [await channel.send(delivery, attempt), await channel.send(delivery, attempt)]
  expect(results.map(({ status, unreachable }) => [status, unreachable])).toEqual([
    [500, false],
    [null, true],
  ])
  expect(await channel.send(delivery, attempt)).toEqual(noAnswer())
})

it('a recording channel answers with the result of its function, and rejects when that throws', async () => {
  const channel = recordingChannel(({ delivery: { attempt_count } }) => {
    if (attempt_count > 0) throw new Error('the store is away')
    return httpAnswer(204)
  })
  expect(await channel.send(delivery, attempt)).toMatchObject({ ok: true, status: 204 })
  await expect(channel.send({ ...delivery, attempt_count: 1 }, attempt)).rejects.toThrow('the store is away')
  expect(channel.sent).toHaveLength(2)
})

it('only a status of 200 to 299 is a success', () => {
  expect([199, 200, 299, 300].map((status) => httpAnswer(status).ok)).toEqual([false, true, true, false])
})
