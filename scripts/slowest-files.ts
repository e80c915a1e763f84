import type { FileTime } from '../test/file-times.ts'

/** A share of a run's serial seconds. Shares, since a loaded machine makes all files slow alike. */
const maxShare = 0.03

/** Files of `npm test` that may take more, each with its reason. */
export const namedSlow: ReadonlyMap<string, string> = new Map([])

export interface Slowest {
  /** The ten slowest, to print. */
  readonly lines: readonly string[]
  /** Those that take more than their share, and are not named. */
  readonly unnamed: readonly string[]
}

export function slowestFiles(files: readonly FileTime[], named: ReadonlyMap<string, string> = namedSlow): Slowest {
  const whole = files.reduce((sum, { seconds }) => sum + seconds, 0)
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds)
  const line = ({ file, seconds }: FileTime) =>
    `${seconds.toFixed(1).padStart(7)} s ${((100 * seconds) / whole).toFixed(1).padStart(5)} %  ${file}`
  return {
    lines: [
      `The ten slowest files of ${files.length}, ${whole.toFixed(0)} s in all:`,
      ...slowest.slice(0, 10).map(line),
    ],
    unnamed: slowest
      .filter(({ file, seconds }) => seconds > maxShare * whole && !named.has(file))
      .map(({ file }) => file),
  }
}
