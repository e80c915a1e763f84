import { fixedClock } from '@sav/core/testing'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { accountCounter } from './account-metrics.js'

function counted() {
  const [registry, clock] = [new Registry(), fixedClock()]
  const counter = accountCounter({ name: 'taken_total', help: 'What is taken.' }, { registers: [registry], clock })
  const take = (account: string, times: number) => {
    for (let n = 0; n < times; n += 1) counter.note(account)
  }
  const scraped = async (): Promise<Record<string, number>> => {
    counter.choose()
    const text = await registry.metrics()
    return Object.fromEntries(
      [...text.matchAll(/^taken_total\{account="(.*)"\} (\d+)$/gm)].map(([, account, value]) => [
        account,
        Number(value),
      ]),
    )
  }
  return { clock, take, scraped }
}

it('ten accounts have a metric series each, and all other accounts share one', async () => {
  const { take, scraped } = counted()
  expect(await scraped()).toEqual({ '(others)': 0 })
  for (let n = 1; n <= 5000; n += 1) take(`account-${n}`, n > 4990 ? 3 : 1)
  const first = await scraped()
  expect(Object.keys(first)).toHaveLength(11)
  expect(first).toMatchObject({ '(others)': 5020, 'account-4991': 0, 'account-5000': 0 })
  take('account-5000', 4)
  take('account-1', 2)
  expect(await scraped()).toEqual({ ...first, '(others)': 5022, 'account-5000': 4 })
})

it('an account with more than twice the calls of one of the ten replaces it, and no counter goes down', async () => {
  const { take, scraped } = counted()
  for (let n = 0; n < 10; n += 1) take(`steady-${n}`, 100)
  await scraped()
  take('hammering', 200)
  expect(await scraped()).toMatchObject({ '(others)': 1200 })
  take('hammering', 1)
  expect(await scraped()).toMatchObject({ '(others)': 1201, hammering: 0 })
  take('hammering', 50)
  take('steady-0', 1)
  const now = await scraped()
  expect(now).toMatchObject({ '(others)': 1202, hammering: 50 })
  expect([Object.keys(now).length, now['steady-0']]).toEqual([11, undefined])
})

it('an account whose calls were long ago is replaced by an active one', async () => {
  const { clock, take, scraped } = counted()
  for (let n = 0; n < 10; n += 1) take(`former-${n}`, 100)
  await scraped()
  await clock.advance(3_600_000)
  await scraped()
  take('present', 4)
  expect(await scraped()).toMatchObject({ present: 0 })
})
