import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fixedClock } from '@sav/core/testing'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../test/needs.js'
import { createMetrics } from '../src/running/metrics.js'

const deployed = (name: string) => fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url))

/** The names of all metrics that a process serves. */
async function served(): Promise<ReadonlySet<string>> {
  const lateness = async () => ({ oldest_due: null, oldest_unclaimed: null, targets_behind: 0 })
  const queue = { lateness, counts: async () => ({ pending: 0, delivered: 0, failed: 0 }) }
  const { scrape } = createMetrics({
    storage: {
      queue,
      watchCommits() {},
      clockDifferenceMs: () => 0,
      poolUse: () => ({ limit: 10, busy: 0, idle: 0, waiting: 0 }),
    },
    installation: () => Promise.reject(new Error('not asked here')),
    places: async () => [],
    clock: fixedClock(),
    version: '1.2.3',
    attemptLimit: 256,
  })
  const { text } = await scrape({ worker: { heartbeat: 0, inFlight: 0 }, ready: async () => {} })
  return new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
}

describe.each(['prometheus/alerts.yml', 'grafana/dashboard.json'])('%s', (name) => {
  it('asks for no metric that is not served', async () => {
    const text = await readFile(deployed(name), 'utf8')
    const asked = new Set(text.match(/\b(?:sav|nodejs|process)_[a-z0-9_]+/g))
    const names = await served()
    expect(asked.size).toBeGreaterThan(5)
    expect([...asked].filter((each) => !names.has(each))).toEqual([])
  })
})

it.runIf(needs('promtool', 'that the alert rules parse'))('promtool takes the alert rules', async () => {
  const { stdout } = await promisify(execFile)('promtool', ['check', 'rules', deployed('prometheus/alerts.yml')])
  expect(stdout).toMatch(/SUCCESS: 21 rules found/)
})

it.runIf(needs('promtool', 'that the alert rules fire, and when they do not'))(
  'each alert fires in one case, and in another it does not',
  async () => {
    const cases = deployed('prometheus/alerts.test.yml')
    const rules = await readFile(deployed('prometheus/alerts.yml'), 'utf8')
    const told = await readFile(cases, 'utf8')
    for (const [, name] of rules.matchAll(/- alert: (\w+)/g)) {
      const ends = [...told.matchAll(new RegExp(`alertname="${name}"[^]*?value: (\\d+)`, 'g'))]
      expect([name, ...new Set(ends.map(([, firing]) => firing !== '0'))]).toEqual([name, true, false])
    }
    const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', cases])
    expect(stdout).toContain('SUCCESS')
  },
)
