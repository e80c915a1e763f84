/** One line of the result. A higher ratio is always better. */
export interface Row {
  readonly bench: string
  /** The measured result, in `unit`. */
  readonly figure: number
  /** The result of the bare baseline in the same run, or the ceiling for the figure. */
  readonly baseline: number
  readonly unit: string
  /** `figure ÷ baseline`, or its inverse if less is better. */
  readonly ratio: number
  /** The target ratio; null if the figures are only for comparison. */
  readonly goal: number | null
  /** The time of each request to the measured process. */
  readonly latency?: Latency
  /** How long the event loop of the measured process kept callers waiting. */
  readonly delay?: Delay
}

export interface Latency {
  readonly p50Ms: number
  readonly p99Ms: number
}

/** The delays of a process's event loop. */
export interface Delay {
  readonly p99Ms: number
  readonly maxMs: number
}

/** The delays of several rounds together: the median of their 99th percentiles, and the longest delay of all. */
export function overall(delays: readonly Delay[]): Delay {
  return {
    p99Ms: medianBy(
      delays.map(({ p99Ms }) => p99Ms),
      Number,
    ),
    maxMs: Math.max(...delays.map(({ maxMs }) => maxMs)),
  }
}

/** Work, and the delays of its process's event loop since the last report. */
export interface WatchedWork {
  readonly work: () => Promise<number>
  readonly delay: () => Promise<Delay>
}

/** Wraps work as a `subject` for `alternate`, and collects the delays of its rounds. */
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
  /** Whether to run benches that fill millions of rows too. */
  readonly full: boolean
  /** The duration of the benches whose duration can be chosen. */
  readonly minutes: number
  /** Reports progress. */
  readonly say: (message: string) => void
}

/**
 * The type of the function `run` that every file of `benches/` exports. The file's name is the bench's name; its rows
 * have that name, or begin with it and a hyphen.
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
  /** How many rounds at the beginning do not count. Default: 1. */
  readonly warmUps?: number
  readonly subject: () => Promise<number>
  readonly baseline: () => Promise<number>
  readonly say: (message: string) => void
}

/**
 * Measures subject and baseline in alternating rounds, so that other load on the machine affects both alike. Resolves
 * to the round with the median ratio, since the machine is equally busy only within one round.
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

/** The value in the middle, ordered by `by`; of an even number of values, the lower of the two. */
export function medianBy<T>(values: readonly T[], by: (value: T) => number): T {
  const middle = values.toSorted((a, b) => by(a) - by(b))[(values.length - 1) >> 1]
  if (middle === undefined) throw new Error('An empty list has no median.')
  return middle
}

/** The smallest value that at least this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN
}

/** Formats a figure for people. */
export function shown(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 3 : value < 1000 ? 1 : 0 })
}
