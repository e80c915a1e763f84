import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ceiling, medianBy, type Row, rate, type Settings, shown } from '#bench'
import { live, startWatching } from '#busy-hour'
import { slowness } from '#machine'
import { startPostgres } from '#postgres'
import { residentMb, runSav, scratch, startSav, startServer } from '#processes'
import { addAccounts, fillShop } from '#shop'
import { shopEnv } from '#shop-env'

const accounts = 10_000
const accountsAGroup = 500
const samples = 20
const imported = 20_000
const limits = { readsMs: 50, writesMs: 150, lateMs: 1000, growth: 1.2 }

/**
 * Only with --full: replays the busiest hour of 10,000 accounts at 20 times its speed, on PostgreSQL with two servers
 * and two workers. The calls are creations, changes, closes with their reports, pages, details and polls; ten receivers
 * fail, and one account imports its clients. Reports the 99th percentiles of reads and writes, how late first attempts
 * at answering receivers were, and the processes' memory at the end compared with the beginning. `--minutes` sets the
 * duration, 30 by default; filling the store takes some minutes before that. Limits and pace are scaled to the speed of
 * this machine (`slowness`).
 */
export async function run({ full, minutes, say }: Settings): Promise<Row[]> {
  if (!full) return []
  using folder = scratch()
  await using postgres = await startPostgres()
  await using receivers = await startWatching()
  const env = shopEnv(folder.path, await postgres.create('sav'))
  const options = { folder: folder.path, env }
  const shop = await fillShop(folder.path, env, { cases: 100, days: 10, receivers: [] })
  const failing = await addAccounts(env, ['failing'], receivers.failing)
  const shops = [shop]
  for (let n = 0; n < accounts; n += accountsAGroup) {
    const names = Array.from({ length: accountsAGroup }, (_, i) => `account-${n + i}`)
    shops.push(...(await addAccounts(env, names, [receivers.url, `${receivers.url}second`])))
    say(`${shops.length.toLocaleString('en')} accounts`)
  }
  // The account whose receivers fail makes every 50th call.
  const callers = shops.flatMap((shop, n) => (n % 50 === 0 ? [shop, ...failing] : [shop]))
  const factor = await slowness(say)

  await using one = await startServer(['--no-worker'], options)
  await using other = await startServer(['--no-worker'], options)
  await using worker = startSav(['worker'], options)
  await using second = startSav(['worker'], options)
  const processes = { server: one, 'other server': other, worker, 'second worker': second }
  const resident = () => Object.values(processes).map(({ pid }) => residentMb(pid))

  const durationMs = minutes * 60_000
  const held: number[][] = []
  const watch = async () => {
    for (let n = 0; n < samples; n += 1) {
      await wait(durationMs / samples)
      held.push(resident())
      const late = await receivers.late()
      say(
        `${held.at(-1)?.map(shown).join(', ')} MB; ${late.count} arrived, at most ${shown(late.maxMs)} ms after their events`,
      )
    }
  }
  const importing = async () => {
    await wait(durationMs / 4)
    writeFileSync(join(folder.path, 'clients.csv'), clientsCsv())
    await runSav(['clients', 'import', 'clients.csv'], options)
    say(`${imported.toLocaleString('en')} clients imported`)
  }
  const ports = [one.port, other.port]
  const [lived] = await Promise.all([
    live({ ports, shops: callers, durationMs, pace: 1 / factor }),
    watch(),
    importing(),
  ])
  const late = await receivers.late()

  for (const [kind, { calls, latency }] of Object.entries(lived.kinds))
    say(`${kind}: ${calls.toLocaleString('en')}, median ${shown(latency.p50Ms)} ms, p99 ${shown(latency.p99Ms)} ms`)
  const calls = lived.reads.calls + lived.writes.calls
  const wrong = Object.values(lived.wrong).reduce((sum, count) => sum + count, 0)
  for (const [what, count] of Object.entries(lived.wrong)) say(`unexpected answer, ${count} times: ${what}`)
  return [
    ceiling('busy-hour-reads', 'ms, p99', lived.reads.latency.p99Ms, limits.readsMs * factor),
    ceiling('busy-hour-writes', 'ms, p99', lived.writes.latency.p99Ms, limits.writesMs * factor),
    rate('busy-hour-answered', 'calls with the expected answer', { figure: calls - wrong, baseline: calls }, 1),
    ceiling('busy-hour-late', 'ms, latest first attempt', late.maxMs, limits.lateMs * Math.max(1, factor)),
    ceiling('busy-hour-memory', 'times the memory at the beginning', growthOf(held), limits.growth),
  ]
}

/** The largest growth of any process's memory, from the second quarter, when everything is warm, to the last. */
function growthOf(held: readonly (readonly number[])[]): number {
  const quarter = Math.floor(held.length / 4)
  const [early, last] = [held.slice(quarter, 2 * quarter), held.slice(-quarter)]
  return Math.max(
    ...(held[0] ?? []).map((_, process) => {
      const median = (part: typeof held) =>
        medianBy(
          part.map((sample) => sample[process] ?? 0),
          Number,
        )
      return median(last) / median(early)
    }),
  )
}

function clientsCsv(): string {
  const lines = Array.from(
    { length: imported },
    (_, n) => `Lefèvre-${n},Zoé,zoe.${n}@exemple.fr,06${String(10_000_000 + n)}`,
  )
  return ['nom,prénom,e-mail,téléphone', ...lines].join('\n')
}
