import type { OptimisedRounds } from '../api/client.js'
import { words } from '../words/words.js'

type Point = NonNullable<OptimisedRounds['tournees'][number]['depart']>

export interface Tour {
  readonly id: number
  readonly name: string
  readonly colour: string | null
  readonly depart: Point | null
  /** The points of its visits, in order. */
  readonly points: readonly (Point | null)[]
}

const width = 480
const height = 300
const margin = 24

/** The rounds as straight lines, drawn only from coordinates, without any map server. */
export function RoundMap({ tours }: { readonly tours: readonly Tour[] }) {
  const t = words.value.planning
  const known = tours.flatMap(({ depart, points }) => [depart, ...points]).filter((point) => point !== null)
  if (known.length < 2) return <p class="muted small">{t.noMap}</p>
  const place = projection(known)
  return (
    <>
      <svg
        class="round-map"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t.mapOf(tours.map(({ name }) => name).join(', '))}
      >
        {tours.map((tour) => (
          <TourLine key={tour.id} tour={tour} place={place} />
        ))}
      </svg>
      <ul class="row small">
        {tours
          .filter(({ points }) => points.length > 0)
          .map(({ id, name, colour }) => (
            <li key={id} class="labelled">
              <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
                <circle cx="5" cy="5" r="5" fill={colour ?? 'currentcolor'} />
              </svg>
              {name}
            </li>
          ))}
      </ul>
    </>
  )
}

type Projection = (point: Point) => readonly [x: number, y: number]

/**
 * Projects points onto the map. A degree of longitude is shorter farther from the equator, and both axes must have the
 * same scale.
 */
function projection(points: readonly Point[]): Projection {
  const lats = points.map(({ lat }) => lat)
  const lons = points.map(({ lon }) => lon)
  const middle = { lat: (Math.min(...lats) + Math.max(...lats)) / 2, lon: (Math.min(...lons) + Math.max(...lons)) / 2 }
  const shrink = Math.cos((middle.lat * Math.PI) / 180)
  const wide = (Math.max(...lons) - Math.min(...lons)) * shrink
  const high = Math.max(...lats) - Math.min(...lats)
  // Points at one place are drawn in the middle.
  const scale = Math.min((width - 2 * margin) / Math.max(wide, 0.01), (height - 2 * margin) / Math.max(high, 0.01))
  return ({ lat, lon }) => [width / 2 + (lon - middle.lon) * shrink * scale, height / 2 - (lat - middle.lat) * scale]
}

function TourLine({ tour: { colour, depart, points }, place }: { readonly tour: Tour; readonly place: Projection }) {
  const numbered = points.flatMap((point, index) => (point === null ? [] : [{ at: place(point), n: index + 1 }]))
  if (numbered.length === 0) return null
  const start = depart && place(depart)
  const way = [...(start ? [start] : []), ...numbered.map(({ at }) => at), ...(start ? [start] : [])]
  const stroke = colour ?? 'currentcolor'
  return (
    <g>
      <polyline points={way.map((at) => at.join(',')).join(' ')} fill="none" stroke={stroke} stroke-width="2" />
      {start && <rect x={start[0] - 5} y={start[1] - 5} width="10" height="10" fill={stroke} />}
      {numbered.map(({ at: [x, y], n }) => (
        <g key={n}>
          <circle class="round-stop" cx={x} cy={y} r="9" stroke={stroke} stroke-width="2" />
          <text class="round-number" x={x} y={y + 4} text-anchor="middle">
            {n}
          </text>
        </g>
      ))}
    </g>
  )
}
