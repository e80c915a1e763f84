import { ceiling, medianBy, percentile, type Row, type Settings } from '#bench'
import { composed } from '#composed'
import { longestHold } from '#longest-hold'
import { slowness } from '#machine'
import { fillManyRdv, installers, perDay } from '#many-rdv'
import { runPart, scratch } from '#processes'
import { fillShop } from '#shop'
import { type ShopEnv, shopEnv } from '#shop-env'

const dayMs = 86_400_000
const usualDays = 14
const mostDays = 92
const questions = 60
const longQuestions = 9

/**
 * Searches free times of 50 installers with eight visits a day over 14 days, for visits of several lengths at several
 * places: the 95th percentile of the time. Then how long a search over 92 days, the maximum, blocks the process. Limits
 * are scaled to the speed of this machine (`slowness`). About 12 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  using folder = scratch()
  const env = shopEnv(folder.path)
  await fillShop(folder.path, env, { cases: 0, days: 0, receivers: [] })
  await fillManyRdv(env, { count: installers * perDay * mostDays, from: Date.now() / 1000 })
  const factor = await slowness(say)
  const { p95Ms, longMs, heldMs } = await runPart(import.meta.url, asking, { env })
  say(`92 days take ${longMs.toFixed(0)} ms, and hold the process for ${heldMs.toFixed(1)} ms at most`)
  return [
    ceiling('slots', 'ms, 95th percentile', p95Ms, 100 * factor),
    ceiling('slots-hold', 'ms, longest block of the process', heldMs, 50 * factor),
  ]
}

export interface SlotTimes {
  readonly p95Ms: number
  readonly longMs: number
  readonly heldMs: number
}

export async function asking({ env }: { env: ShopEnv }): Promise<SlotTimes> {
  const { sav, storage } = await composed(env)
  const places = ['69002', '69120', '38300', '42100', '01500']
  const days = (count: number) => ({
    du: new Date().toISOString().slice(0, 10),
    au: new Date(Date.now() + (count - 1) * dayMs).toISOString().slice(0, 10),
  })
  const ask = (n: number, count: number) => {
    const place = n % 6 === 5 ? {} : { code_postal: places[n % 6] ?? '69002' }
    return sav.planning.slots('default', { duree: [15, 20, 30][n % 3] ?? 15, pas: 5, ...place, ...days(count) })
  }
  const times: number[] = []
  let found = 0
  for (let n = -10; n < questions; n += 1) {
    const start = performance.now()
    found += (await ask(n + 10, usualDays)).length
    if (n >= 0) times.push(performance.now() - start)
  }
  if (found === 0) throw new Error('No slot is free, so nothing was measured.')
  const held: { ms: number; longestMs: number }[] = []
  for (let n = 0; n < longQuestions; n += 1) {
    const start = performance.now()
    const { longestMs } = await longestHold(() => ask(n, mostDays))
    held.push({ ms: performance.now() - start, longestMs })
  }
  await storage.close()
  return {
    p95Ms: percentile(times, 0.95),
    longMs: medianBy(held, ({ ms }) => ms).ms,
    heldMs: medianBy(held, ({ longestMs }) => longestMs).longestMs,
  }
}
