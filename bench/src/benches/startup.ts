import { setTimeout as wait } from 'node:timers/promises'
import { ceiling, medianBy, type Row, type Settings } from '#bench'
import { residentMb, runSav, scratch, startServer } from '#processes'
import { shopEnv } from '#shop-env'

const starts = 15
const settleMs = 3000

/** How long `sav --help` takes, from nothing to its end, and what an idle `sav serve` with its worker holds. About 7 s. */
export async function run({ say }: Settings): Promise<Row[]> {
  using folder = scratch()
  // What watches event loops is TypeScript, which takes a start as long again, and 13 to 21 MB.
  const options = { folder: folder.path, env: { ...shopEnv(folder.path), NODE_OPTIONS: '' } }
  const times: number[] = []
  for (let i = 0; i < starts; i += 1) {
    const start = performance.now()
    await runSav(['--help'], options)
    times.push(performance.now() - start)
  }
  say(`sav --help took ${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))} ms`)

  await runSav(['init'], options)
  await using server = await startServer([], options)
  await wait(settleMs)
  return [
    ceiling('startup-help', 'ms', medianBy(times, Number), 200),
    ceiling('startup-memory', 'MB resident', residentMb(server.pid), 150),
  ]
}
