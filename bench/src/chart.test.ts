import { expect, test } from 'vitest'
import { rate } from './bench.js'
import { chart } from './chart.js'

const row = (bench: string, figure: number) => rate(bench, 'deliveries/s', { figure, baseline: 100 }, null)
const rows = [
  row('deliver', 54),
  row('deliver-postgres', 48),
  row('deliver-postgres-pg-boss', 200),
  row('deliver-postgres-graphile-worker', 300),
]

test('bars are shares of the bare loop, those of others too, and each run has its day', () => {
  const drawn = chart(rows, '2026-11-27')
  const bars = [...drawn.matchAll(/class="name"[^>]*>([^<]*)<.*\n<rect.* width="(\d+)".*\n.*>([\d.]+)</g)]
  const [ours, postgres, pgBoss, graphile] = bars.map(([, name, width, share]) => [name, width, share])
  expect([ours, postgres]).toEqual([
    ['sav, SQLite', '270', '0.54'],
    ['sav, PostgreSQL', '240', '0.48'],
  ])
  expect(pgBoss).toEqual([expect.stringMatching(/^pg-boss \d+\.\d+\.\d+$/), '120', '0.24'])
  expect(graphile).toEqual([expect.stringMatching(/^graphile-worker \d+\.\d+\.\d+$/), '80', '0.16'])
  expect(drawn).toMatch(/on 2026-11-27 by npm run bench.*November 2026.*Svix 1\.100.*Outpost 1\.2.*Convoy/s)
})

test('unmeasured figures are named', () => {
  expect(() => chart(rows.slice(0, 1), '2026-11-27')).toThrow(
    'The chart needs deliver and deliver-postgres: deliver-postgres was not measured.',
  )
})
