import { readFileSync } from 'node:fs'
import type { Row } from '#bench'

interface Group {
  readonly heading: string
  /** The rate of each program, in the unit of `bare`. */
  readonly delivered: Readonly<Record<string, number>>
  /** The bare loop's result in the same run. */
  readonly bare: number
}

/**
 * Results of services that cannot be run from a package alone. They were measured separately, beside this service, each
 * with its own stores on the same two cores: 64 connections, messages of 500 bytes, a backlog of 20,000. For the older
 * run, no versions were recorded.
 */
const earlier: readonly Group[] = [
  {
    heading:
      'Measured in November 2026, with workers that had just started; the bare loop made 55,000 to 60,000 a second',
    delivered: { 'sav, SQLite': 11_370, 'sav, PostgreSQL': 11_650, 'Svix 1.100': 2_650, 'Outpost 1.2': 2_550 },
    bare: 57_500,
  },
  {
    heading: 'Measured earlier, with an older sav; the bare loop made 18,800 a second',
    delivered: { 'sav, SQLite': 7_400, 'sav, PostgreSQL': 4_600, Outpost: 1_900, Svix: 1_820, Convoy: 190 },
    bare: 18_800,
  },
]

/** The benches that the chart shows. */
export const drawn = ['deliver', 'deliver-postgres'] as const

/**
 * Draws the delivery of a backlog as bars in an SVG: of this run, and of earlier runs beside other services.
 * @param rows the rows of a run, including those of the `drawn` benches
 * @param day when the run was: `2026-11-27`
 */
export function chart(rows: readonly Row[], day: string): string {
  const ratioOf = (name: string) => {
    const row = rows.find(({ bench }) => bench === name)
    if (row === undefined) throw new Error(`The chart needs ${drawn.join(' and ')}: ${name} was not measured.`)
    return row.ratio
  }
  const postgres = ratioOf('deliver-postgres')
  const beside = ['pg-boss', 'graphile-worker'].map(
    (name) => [`${name} ${versionOf(name)}`, postgres / ratioOf(`deliver-postgres-${name}`)] as const,
  )
  const ours: Group = {
    heading: `Measured on ${day} by npm run bench: 30,000 waiting deliveries, once each process is warm`,
    delivered: { 'sav, SQLite': ratioOf('deliver'), 'sav, PostgreSQL': postgres, ...Object.fromEntries(beside) },
    bare: 1,
  }
  return drawing('Webhooks delivered and recorded, as a share of a bare loop of undici in the same run', [
    ours,
    ...earlier,
  ])
}

function versionOf(name: string): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8'),
  )
  return version
}

const width = 760
const left = 170
const longest = 500
const lineHeight = 24

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 15px }
  .heading { fill: #59636e }
  .name { text-anchor: end }
  rect { fill: #9aa4af }
  .ours { fill: #1f6f5c }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .heading { fill: #9198a1 }
    rect { fill: #59636e }
    .ours { fill: #3fa98e }
  }
`

function drawing(title: string, groups: readonly Group[]): string {
  const lines: string[] = []
  let y = 28
  const text = (x: number, name: string, content: string) =>
    lines.push(`<text class="${name}" x="${x}" y="${y}">${content}</text>`)
  text(10, 'title', title)
  for (const { heading, delivered, bare } of groups) {
    y += 36
    text(10, 'heading', heading)
    for (const [name, figure] of Object.entries(delivered)) {
      y += lineHeight
      const share = figure / bare
      const isOurs = name.startsWith('sav, ')
      const length = Math.max(1, Math.round(share * longest))
      text(left - 10, 'name', name)
      lines.push(
        `<rect${isOurs ? ' class="ours"' : ''} x="${left}" y="${y - 13}" width="${length}" height="16" rx="2"/>`,
      )
      text(left + length + 8, 'share', share.toFixed(share < 0.1 ? 3 : 2))
    }
  }
  const height = y + 16
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${title}</title>
<style>${style}</style>
${lines.join('\n')}
</svg>
`
}
