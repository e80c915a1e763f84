import { padded, type Terminal } from '@sav/command/feature'
import type { RdvView } from '../appointments/inputs.js'
import { dayName, type LocalTime } from './local-time.js'

/** One character for each status, explained below a drawing that uses it. */
const marks: Readonly<Record<RdvView['statut'], string>> = {
  propose: '?',
  planifie: '·',
  confirme: '✓',
  en_cours: '▸',
  realise: '■',
  absent: '!',
  annule: '×',
}

const gap = 2
/** The minimum width of a day: the time, and the beginning of a name. */
const minWidth = 9
const maxWidth = 22

interface WeekDrawingOptions {
  readonly terminal: Terminal
  readonly local: LocalTime
  /** `YYYY-MM-DD`. */
  readonly days: readonly string[]
  /** Poseurs that are shown even without appointments. */
  readonly poseurs: readonly RdvView['poseur'][]
}

/**
 * A week: a block for each poseur, a column for each day, two lines for each appointment. Free weekend days have no
 * column, and cancelled appointments no line.
 */
export function weekDrawing(rdvs: readonly RdvView[], { terminal, local, days, poseurs }: WeekDrawingOptions): string {
  const standing = rdvs.filter(({ statut }) => statut !== 'annule')
  const dayOf = new Map(standing.map((rdv) => [rdv, local.dateOf(rdv.debut)]))
  const shown = days.filter((day, index) => index < 5 || standing.some((rdv) => dayOf.get(rdv) === day))
  const room = Math.min(terminal.columns, 80)
  const width = Math.min(maxWidth, Math.max(minWidth, Math.floor((room + gap) / shown.length) - gap))
  const row = (cells: readonly string[]) =>
    cells
      .map((cell) => padded(cell, width))
      .join(' '.repeat(gap))
      .trimEnd()

  const blocks = poseursOf(standing, poseurs).map(([name, theirs]) => {
    const columns = shown.map((day) =>
      theirs
        .filter((rdv) => dayOf.get(rdv) === day)
        .flatMap((rdv) => [
          `${marks[rdv.statut]} ${width >= 13 ? local.hoursOf(rdv) : local.timeOf(rdv.debut)}`,
          `#${rdv.id} ${rdv.client.nom}`,
        ]),
    )
    const height = Math.max(...columns.map(({ length }) => length))
    const title = terminal.style('bold', padded(name, room).trimEnd())
    if (height === 0) return `${title}\n${terminal.style('dim', 'free')}`
    const lines = Array.from({ length: height }, (_, line) => row(columns.map((column) => column[line] ?? '')))
    return [title, ...lines].join('\n')
  })
  const title = `${days[0]} to ${days.at(-1)}, times in ${local.timeZone}`
  if (standing.length === 0) return `${title}\nNo appointment.`
  const head = terminal.style('dim', row(shown.map((day) => (width < 10 ? dayName(day).slice(0, 7) : dayName(day)))))
  return [`${title}\n\n${head}`, ...blocks, legend(standing, rdvs.length - standing.length)].join('\n\n')
}

/** Each poseur with all their appointments, by name. */
function poseursOf(
  rdvs: readonly RdvView[],
  poseurs: readonly RdvView['poseur'][],
): [name: string, theirs: RdvView[]][] {
  const named = ({ id, nom }: RdvView['poseur']): { name: string; theirs: RdvView[] } => ({
    name: `${nom} (${id})`,
    theirs: [],
  })
  const found = new Map(poseurs.map((poseur) => [poseur.id, named(poseur)]))
  for (const rdv of rdvs)
    for (const person of [rdv.poseur, ...rdv.equipiers]) {
      const known = found.get(person.id) ?? named(person)
      known.theirs.push(rdv)
      found.set(person.id, known)
    }
  return [...found.values()]
    .map(({ name, theirs }): [string, RdvView[]] => [name, theirs])
    .sort(([a], [b]) => a.localeCompare(b, 'fr'))
}

function legend(standing: readonly RdvView[], cancelled: number): string {
  const told = Object.entries(marks).flatMap(([statut, mark]) =>
    standing.some((rdv) => rdv.statut === statut) ? [`${mark} ${statut}`] : [],
  )
  const beside = cancelled === 0 ? [] : [`${cancelled} cancelled`]
  return [...told, ...beside].join('   ')
}
