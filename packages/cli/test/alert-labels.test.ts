import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { started } from './drill.js'
import { readyWorkplace } from './workplace.js'

const rules = new URL('../../../deploy/prometheus/alerts.yml', import.meta.url)

/** Labels that Prometheus adds when it scrapes, and labels whose values are unknown before a call. */
const others = new Set(['job', 'instance', 'status', 'route', 'le'])

it('alerts use only label values that occur in the metrics of a service', async () => {
  const text = await readFile(rules, 'utf8')
  const asked = [...text.matchAll(/\b(sav_\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', labels = '']) =>
    [...labels.matchAll(/(\w+)(?:=|!=|=~|!~)"([\w|]+)"/g)]
      .filter(([, label = '']) => !others.has(label))
      .flatMap(([, label, values = '']) =>
        values.split('|').map((value) => ({ metric, label: `${label}="${value}"` })),
      ),
  )
  const { metrics } = await started(await readyWorkplace())
  const series = (await metrics()).split('\n')
  expect(asked.length).toBeGreaterThan(1)
  expect(
    asked.filter(({ metric, label }) => !series.some((line) => line.startsWith(`${metric}{`) && line.includes(label))),
  ).toEqual([])
})
