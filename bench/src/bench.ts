/** One line of the result. A ratio is always "more is better". */
export interface Row {
  readonly bench: string
  /** What the subject did, in `unit`. */
  readonly figure: number
  /** What the bare baseline did in the same run, or the ceiling that the figure must stay under. */
  readonly baseline: number
  readonly unit: string
  /** `figure ÷ baseline`; where less is better the other way round. */
  readonly ratio: number
  /** The ratio that is aimed at; null if the figures are for comparison alone. */
  readonly goal: number | null
  /** What each request of the subject took. */
  readonly latency?: Latency
  /** How long the subject's process kept callers waiting. */
  readonly delay?: Delay
}

export interface Latency {
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Of a process's event loop: how much later than it should each of its turns came. */
export interface Delay {
  readonly p99Ms: number
  readonly maxMs: number
}

/** That of several rounds: the middle one's 99th percentile, and the longest of all. */
export function overall(delays: readonly Delay[]): Delay {
  return {
    p99Ms: medianBy(
      delays.map(({ p99Ms }) => p99Ms),
      Number,
    ),
    maxMs: Math.max(...delays.map(({ maxMs }) => maxMs)),
  }
}

/** What does something, and can say how its event loop fared since it was asked last. */
export interface WatchedWork {
  readonly work: () => Promise<number>
  readonly delay: () => Promise<Delay>
}

/** `work` for `alternate`, and what the delays of its rounds came to. */
export function watched({ work, delay }: WatchedWork): { readonly subject: () => Promise<number>; delay(): Delay } {
  const delays: Delay[] = []
  return {
    async subject() {
      await delay()
      const figure = await work()
      delays.push(await delay())
      return figure
    },
    // The first round is the warm-up.
    delay: () => overall(delays.slice(1)),
  }
}

export interface Settings {
  /** Also run what fills millions of rows. */
  readonly full: boolean
  /** How long what has no length of its own goes on. */
  readonly minutes: number
  /** Reports progress. */
  readonly say: (message: string) => void
}

/**
 * What every file of `benches/` exports as `run`; the file's name is the bench's, and its rows are called that or begin
 * with it and a hyphen.
 */
export type Run = (settings: Settings) => Promise<Row[]>

interface Measurement {
  readonly figure: number
  readonly baseline: number
}

/** A row whose figure should be as high as possible. */
export function rate(bench: string, unit: string, { figure, baseline }: Measurement, goal: number | null): Row {
  return { bench, figure, baseline, unit, ratio: figure / baseline, goal }
}

/** A row whose figure must stay under a ceiling. */
export function ceiling(bench: string, unit: string, figure: number, limit: number): Row {
  return { bench, figure, baseline: limit, unit, ratio: limit / figure, goal: 1 }
}

export interface Rounds {
  readonly rounds: number
  /** Rounds before these, which count for nothing. Default 1. */
  readonly warmUps?: number
  readonly subject: () => Promise<number>
  readonly baseline: () => Promise<number>
  readonly say: (message: string) => void
}

/**
 * Rounds that take turns, so that whatever else the machine does meets both alike. What counts is the round whose ratio
 * is the median: within one round the machine is the same, over all of them it may not be.
 */
export async function alternate({ rounds, warmUps = 1, subject, baseline, say }: Rounds): Promise<Measurement> {
  const counting: Measurement[] = []
  for (let round = 1 - warmUps; round <= rounds; round += 1) {
    const measured = { figure: await subject(), baseline: await baseline() }
    const name = round < 1 ? 'warm-up' : `round ${round} of ${rounds}`
    say(`${name}: ${shown(measured.figure)} beside ${shown(measured.baseline)}, ${ratioOf(measured).toFixed(3)}`)
    if (round >= 1) counting.push(measured)
  }
  return medianBy(counting, ratioOf)
}

const ratioOf = ({ figure, baseline }: Measurement) => figure / baseline

/** The middle one, of an even number the lower of both. */
export function medianBy<T>(values: readonly T[], by: (value: T) => number): T {
  const middle = values.toSorted((a, b) => by(a) - by(b))[(values.length - 1) >> 1]
  if (middle === undefined) throw new Error('a median of nothing')
  return middle
}

/** The least of the values that so large a share of them does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN
}

/** A figure for eyes. */
export function shown(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 3 : value < 1000 ? 1 : 0 })
}
