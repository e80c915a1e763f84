import type { FileTime } from '../test/file-times.ts'

/**
 * The largest share that one file may take of the sum of all files' seconds. It is a share, since a busy machine slows
 * all files alike.
 */
const maxShare = 0.03

const browser = 'each page of a browser takes half a second of processor time'
const contract = 'the whole contract of the storage, 284 tests'
const processes = 'it starts many processes'

const programs = 'each example starts as a separate program'

/**
 * Files of `npm test` that may take more than `maxShare`, each with its reason. Files that take 2 % or more are listed
 * too, since shares differ between machines.
 */
export const namedSlow: ReadonlyMap<string, string> = new Map([
  ['examples/embedded.test.ts', programs],
  ['packages/cli/test/backup.test.ts', 'whole stores are written, copied and read again'],
  ['packages/cli/test/backup-command.test.ts', 'whole stores are written, copied and read again'],
  ['packages/cli/test/postgres.test.ts', processes],
  ['packages/cli/test/serve.test.ts', processes],
  ['packages/console/test/case-walk.test.ts', browser],
  ['packages/console/test/terrain/real-service.test.ts', browser],
  ['packages/http-node/src/api/matrix.test.ts', 'each route is called by each kind of caller'],
  ['packages/http-node/src/api/write-routes.test.ts', 'each write has its own stores'],
  [
    'packages/reception-report/src/pdf.test.ts',
    'reports are drawn by a process of low priority, which waits for others',
  ],
  ['packages/storage-kysely/src/callers.test.ts', 'each kind of caller has its own database'],
  ['packages/storage-kysely/src/falsified.chaos.test.ts', 'a whole chain is checked for each falsified row'],
  ['packages/storage-kysely/src/misuse.test.ts', 'each kind of misuse has its own store'],
  ['packages/storage-kysely/src/postgres.test.ts', contract],
  ['packages/storage-kysely/src/storage.test.ts', contract],
  ['test/anywhere.full.test.ts', 'a copy of the whole tree is made and started'],
])

export interface Slowest {
  /** Lines about the ten slowest files, to print. */
  readonly lines: readonly string[]
  /** The files that take more than `maxShare` of the whole time and are not in `named`. */
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
