import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fixedClock } from '@sav/core/testing'
import { describe, expect, it } from 'vitest'
import { markdownTable } from '../../../test/markdown-table.js'
import { needs } from '../../../test/needs.js'
import { createMetrics } from '../../command/src/running/metrics.js'

const deployed = (name: string) => fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url))

/** The metrics page of a process on PostgreSQL, with a value for each metric. */
async function scraped(): Promise<string> {
  const lateness = async () => ({ oldest_due: null, oldest_unclaimed: null, targets_behind: 0 })
  const queue = { lateness, counts: async () => ({ pending: 0, delivered: 0, failed: 0 }) }
  const { onAnswer, scrape } = createMetrics({
    storage: {
      queue,
      watchCommits() {},
      clockDifferenceMs: () => 0,
      poolUse: () => ({ limit: 10, busy: 0, idle: 0, waiting: 0 }),
    },
    installation: async () => ({
      receivers: { ok: 0, ralenti: 0, en_echec: 0, desactive: 0 },
      letters: 0,
      backup: null,
    }),
    places: async () => [{ what: 'store', path: '/var/lib/sav', space: { freeBytes: 4e9, sizeBytes: 2e10 } }],
    clock: fixedClock(),
    version: '1.2.3',
    attemptLimit: 256,
  })
  onAnswer({
    method: 'GET',
    route: '/api/v1/sav',
    status: 200,
    refusal: null,
    account_id: 'default',
    durationMs: 3,
    bytes: 512,
  })
  return (await scrape({ worker: { heartbeat: 0, inFlight: 0 }, ready: async () => {} })).text
}

/** Every metric that a process serves: name, help, type and labels. */
const families = async () =>
  [...(await scraped()).matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)(?:\n\w+(?:\{(.*?)\})?)?/gm)].map(
    ([, name = '', help = '', type = '', sample = '']) => ({
      name,
      help,
      type,
      labels: [...sample.matchAll(/(\w+)="/g)].map(([, label = '']) => label).filter((label) => label !== 'le'),
    }),
  )

/** The names of all series that a process serves. */
async function served(): Promise<ReadonlySet<string>> {
  return new Set(
    (await families()).flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
}

// `npm test -- monitoring -u` writes the page.
it('docs/reference/metrics.md has every metric', async () => {
  const own = (await families()).filter(({ name }) => name.startsWith('sav_'))
  const rows = own.map(({ name, help, type, labels }) => [
    `\`${name}${labels.length === 0 ? '' : `{${labels.join(',')}}`}\``,
    type,
    help,
  ])
  const page = `# Metrics

What \`SAV_METRICS\` serves at \`/metrics\`: how to use it is in [operating](../operating.md#metrics). No label names an endpoint or an
address. \`process_…\` and \`nodejs_…\` come with it: memory, CPU, garbage collection, delay of the event loop.

${markdownTable([['metric', 'type', 'meaning'], ...rows])}`
  await expect(page).toMatchFileSnapshot(fileURLToPath(new URL('../../../docs/reference/metrics.md', import.meta.url)))
})

describe.each(['prometheus/alerts.yml', 'grafana/dashboard.json'])('%s', (name) => {
  it('uses only metrics that are served', async () => {
    const text = await readFile(deployed(name), 'utf8')
    const asked = new Set(text.match(/\b(?:sav|nodejs|process)_[a-z0-9_]+/g))
    const names = await served()
    expect(asked.size).toBeGreaterThan(5)
    expect([...asked].filter((each) => !names.has(each))).toEqual([])
  })
})

it.runIf(needs('promtool', 'that the alert rules parse'))('promtool accepts the alert rules', async () => {
  const { stdout } = await promisify(execFile)('promtool', ['check', 'rules', deployed('prometheus/alerts.yml')])
  expect(stdout).toMatch(/SUCCESS: 21 rules found/)
})

it.runIf(needs('promtool', 'that the alert rules fire, and when they do not'))(
  'each alert fires in one case, and does not fire in another',
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
