import { ceiling, percentile, type Row, type Settings } from '#bench'
import { composed } from '#composed'
import { slowness } from '#machine'
import { fillManyRdv, installers, perDay } from '#many-rdv'
import { runPart, scratch } from '#processes'
import { fillShop } from '#shop'
import { type ShopEnv, shopEnv } from '#shop-env'

const questions = 40
const dayMs = 86_400_000

/**
 * A week of 50 installers, of 2,800 appointments, out of 100,000 (with --full 1,000,000): the first page of 200 with how
 * many there are in all, and the week of one installer. The 95th percentile; limits are those of a machine whose bare loop
 * makes 45,000/s. About 15 s, with --full 60 s.
 */
export async function run({ full, say }: Settings): Promise<Row[]> {
  const count = full ? 1_000_000 : 100_000
  using folder = scratch()
  const env = shopEnv(folder.path)
  await fillShop(folder.path, env, { cases: 0, days: 0, receivers: [] })
  // This week is in the middle.
  const from = Math.floor(Date.now() / 1000) - Math.floor(count / installers / perDay / 2) * 86_400
  say(`filling a store with ${count.toLocaleString('en')} appointments`)
  const { poseurs } = await fillManyRdv(env, { count, from })
  const factor = await slowness(say)
  const { ofAll, ofOne } = await runPart(import.meta.url, reading, { env, poseurs })
  return [
    ceiling('planning-week', 'ms, 95th percentile', ofAll, 20 * factor),
    ceiling('planning-week-one', 'ms, 95th percentile', ofOne, 20 * factor),
  ]
}

export async function reading({ env, poseurs }: { env: ShopEnv; poseurs: readonly number[] }) {
  const { sav, storage } = await composed(env)
  const p95 = async (poseur_id: (n: number) => number | undefined) => {
    const times: number[] = []
    for (let n = -10; n < questions; n += 1) {
      const du = new Date(Date.now() + (n % 7) * dayMs).toISOString().slice(0, 10)
      const start = performance.now()
      const { items } = await sav.planning.list('default', { du, poseur_id: poseur_id(n + 10), limite: 200 })
      if (n >= 0) times.push(performance.now() - start)
      if (items.length < 50) throw new Error(`a week of ${items.length} appointments`)
    }
    return percentile(times, 0.95)
  }
  const result = { ofAll: await p95(() => undefined), ofOne: await p95((n) => poseurs[n % poseurs.length]) }
  await storage.close()
  return result
}
