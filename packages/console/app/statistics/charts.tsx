import type { ComponentChildren } from 'preact'
import { number } from '../words/formats.js'

export interface Series<Row> {
  readonly name: string
  readonly of: (row: Row) => number
}

interface ChartProps<Row> {
  readonly name: string
  readonly rows: readonly Row[]
  readonly nameOf: (row: Row) => string
  /** At most four: more colours are hard to distinguish. */
  readonly series: readonly Series<Row>[]
}

const height = 180
const thick = 9
const line = 18
/** Percent of the width for the names of bars. */
const beside = 24
const nameLength = 17

const mostOf = <Row,>({ rows, series }: Pick<ChartProps<Row>, 'rows' | 'series'>) =>
  Math.max(1, ...rows.flatMap((row) => series.map(({ of }) => of(row))))

/** A group of columns for each row, as wide as the page allows. */
export function Columns<Row>({ name, rows, nameOf, series }: ChartProps<Row>) {
  const most = mostOf({ rows, series })
  const group = 100 / rows.length
  const each = (group * 0.8) / series.length
  // If there are many groups, only some of them are named.
  const step = Math.ceil(rows.length / 12)
  return (
    <Figure series={series}>
      <svg
        class="chart"
        width="100%"
        height={height + line}
        role="img"
        aria-label={name}
        // Keeps a single group of columns from being wider than one of several.
        style={{ 'max-width': `${rows.length * 7.5}rem` }}
      >
        <text class="chart-text" x="0" y="10">
          {number(most)}
        </text>
        <rect class="chart-axis" x="0" y={height} width="100%" height="1" />
        {rows.map((row, at) => (
          <g key={nameOf(row)}>
            {series.map((one, index) => {
              const length = (one.of(row) * (height - line)) / most
              return (
                <rect
                  key={one.name}
                  class={`chart-${index}`}
                  x={`${group * (at + 0.1) + each * index}%`}
                  y={height - length}
                  width={`${each * 0.9}%`}
                  height={length}
                >
                  <title>{`${nameOf(row)}, ${one.name} · ${number(one.of(row))}`}</title>
                </rect>
              )
            })}
            {at % step === 0 && (
              <text
                class={at % (2 * step) === 0 ? 'chart-text' : 'chart-text chart-wide'}
                x={at === 0 ? 0 : `${group * (at + 0.5)}%`}
                y={height + line - 4}
                text-anchor={at === 0 ? 'start' : 'middle'}
              >
                {nameOf(row)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </Figure>
  )
}

/** A group of bars for each row, one below the other. */
export function Bars<Row>({ name, rows, nameOf, series }: ChartProps<Row>) {
  const most = mostOf({ rows, series })
  const group = Math.max(line, thick * series.length) + 8
  const short = (text: string) => (text.length > nameLength ? `${text.slice(0, nameLength - 1)}…` : text)
  return (
    <Figure series={series}>
      <svg class="chart chart-bars" width="100%" height={group * rows.length} role="img" aria-label={name}>
        {rows.map((row, at) => (
          <g key={at}>
            <text class="chart-text" x="0" y={group * at + 13}>
              {short(nameOf(row))}
            </text>
            {series.map((one, index) => (
              <rect
                key={one.name}
                class={`chart-${index}`}
                x={`${beside}%`}
                y={group * at + thick * index + 4}
                width={`${(one.of(row) * (100 - beside)) / most}%`}
                height={thick - 2}
              >
                <title>{`${nameOf(row)}, ${one.name} · ${number(one.of(row))}`}</title>
              </rect>
            ))}
          </g>
        ))}
      </svg>
    </Figure>
  )
}

interface FigureProps {
  readonly series: readonly { readonly name: string }[]
  readonly children: ComponentChildren
}

function Figure({ series, children }: FigureProps) {
  return (
    <figure class="stack-small figure">
      {children}
      <figcaption class="row small muted">
        {series.map(({ name }, index) => (
          <span key={name} class="labelled">
            <svg width="10" height="10" aria-hidden="true">
              <rect class={`chart-${index}`} width="10" height="10" />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
