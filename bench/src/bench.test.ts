import { expect, test } from 'vitest'
import { alternate, ceiling, percentile, rate } from './bench.js'

test('subject and baseline take turns, and the round with the median ratio counts', async () => {
  const figures = [1, 10, 90, 40]
  const baselines = [1, 100, 100, 100]
  const order: string[] = []
  const next = (name: string, values: number[]) => async () => {
    order.push(name)
    return values.shift() ?? Number.NaN
  }
  const measured = await alternate({
    rounds: 3,
    subject: next('subject', figures),
    baseline: next('baseline', baselines),
    say: () => {},
  })
  expect(measured).toEqual({ figure: 40, baseline: 100 })
  expect(order).toEqual(Array.from({ length: 4 }, () => ['subject', 'baseline']).flat())
})

test('a ratio is more is better, for a rate and for a ceiling', () => {
  expect(rate('create', 'requests/s', { figure: 20, baseline: 100 }, 0.18).ratio).toBe(0.2)
  expect(ceiling('startup-help', 'ms', 100, 200)).toMatchObject({ baseline: 200, ratio: 2, goal: 1 })
})

test('a percentile is the least value that so large a share does not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => 100 - n)
  expect(percentile(hundred, 0.99)).toBe(99)
  expect(percentile(hundred, 0.5)).toBe(50)
  expect(percentile([7], 0.95)).toBe(7)
})
