import { readdirSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { type Row, type Run, shown } from '#bench'
import { chart, drawn } from '#chart'
import { endEverything } from '#processes'

const folder = new URL('benches/', import.meta.url)
const all = readdirSync(folder).map((file) => basename(file, '.ts'))

/** The chart of docs/performance.md. */
const chartFile = new URL('../../docs/performance.svg', import.meta.url)

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
for (const [signal, code] of Object.entries(signals)) {
  process.once(signal, () => {
    endEverything()
    process.exit(code)
  })
}
process.once('exit', endEverything)
// Exits even if a bench has left something open.
process.exit(await main())

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      chart: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '30' },
    },
    allowPositionals: true,
  })
  const unknown = positionals.filter((name) => benchOf(name) === undefined)
  if (unknown.length > 0) {
    console.error(`No bench ${unknown.join(', ')}: there are ${all.join(', ')}.`)
    return 2
  }

  const minutes = Number(values.minutes)
  if (!(minutes > 0)) {
    console.error(`--minutes takes a number above 0, not ${JSON.stringify(values.minutes)}.`)
    return 2
  }

  const chosen = new Set(positionals.map(benchOf))
  if (values.chart && positionals.length > 0 && drawn.some((bench) => !chosen.has(bench))) {
    console.error(`--chart draws ${drawn.join(' and ')}: name them too, or none.`)
    return 2
  }
  const rows: Row[] = []
  let failed = false
  for (const bench of all) {
    if (positionals.length > 0 && !chosen.has(bench)) continue
    const say = (message: string) => console.error(`\x1b[2m› ${bench}: ${message}\x1b[0m`)
    const start = performance.now()
    try {
      const { run }: { run: Run } = await import(new URL(`${bench}.ts`, folder).href)
      rows.push(...(await run({ full: values.full, minutes, say })).map(rounded))
    } catch (error) {
      failed = true
      console.error(`${bench} failed:`, error)
    }
    say(`took ${Math.round((performance.now() - start) / 1000)} s`)
  }
  if (values.chart && !failed) writeFileSync(chartFile, chart(rows, new Date().toISOString().slice(0, 10)))
  console.log(values.json ? JSON.stringify(rows, null, 2) : table(rows))
  return failed ? 1 : 0
}

/** The bench with this name, or with a row of this name. */
function benchOf(name: string): string | undefined {
  return all
    .filter((bench) => name === bench || name.startsWith(`${bench}-`))
    .toSorted((a, b) => b.length - a.length)[0]
}

function rounded(row: Row): Row {
  const to = (value: number) => Number(value.toPrecision(4))
  const { figure, baseline, ratio, latency, delay } = row
  return {
    ...row,
    figure: to(figure),
    baseline: to(baseline),
    ratio: to(ratio),
    ...(latency && { latency: { p50Ms: to(latency.p50Ms), p99Ms: to(latency.p99Ms) } }),
    ...(delay && { delay: { p99Ms: to(delay.p99Ms), maxMs: to(delay.maxMs) } }),
  }
}

function table(rows: readonly Row[]): string {
  const lines = [
    ['bench', 'figure', 'baseline', 'unit', 'ratio', 'goal', '', 'p50', 'p99', 'loop p99', 'loop max'],
    ...rows.map(({ bench, figure, baseline, unit, ratio, goal, latency, delay }) => [
      bench,
      shown(figure),
      shown(baseline),
      unit,
      ratio.toFixed(3),
      goal?.toFixed(2) ?? '',
      goal !== null && ratio < goal ? 'missed' : '',
      ...[latency?.p50Ms, latency?.p99Ms, delay?.p99Ms, delay?.maxMs].map((ms) =>
        ms === undefined ? '' : `${shown(ms)} ms`,
      ),
    ]),
  ]
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? []
  const isText = (column: number) => column === 0 || column === 3 || column === 6
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell[isText(column) ? 'padEnd' : 'padStart'](widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
