import { alternate, type Row, type Settings } from '#bench'
import { as, composed } from '#composed'
import { fillManyRdv, freeTime, type ManyRdv } from '#many-rdv'
import { startPostgres } from '#postgres'
import { runPart, scratch } from '#processes'
import { fillShop } from '#shop'
import { type ShopEnv, shopEnv } from '#shop-env'

const few = 10_000
const rounds = 5
const bookingsARound = 200
const atOnce = 20
const limit = 1.2

/**
 * Compares the time of a booking with 100,000 appointments (1,000,000 with --full) and with 10,000, on both stores.
 * Each booking takes a free half hour on a full day of one of 50 installers. About 40 s, with --full 4 min.
 */
export async function run({ full, say }: Settings): Promise<Row[]> {
  const many = full ? 1_000_000 : 100_000
  using folders = new DisposableStack()
  await using postgres = await startPostgres()
  const fill = async (count: number, database?: string): Promise<FilledStore> => {
    const folder = folders.use(scratch()).path
    const env = shopEnv(folder, database)
    await fillShop(folder, env, { cases: 0, days: 0, receivers: [] })
    return { env, from, ...(await fillManyRdv(env, { count, from })) }
  }
  const growth = async (name: string, shops: Shops): Promise<Row> => {
    const { figure, baseline } = await runPart(import.meta.url, compare, shops)
    say(`${name}: ${figure.toFixed(2)} ms beside ${baseline.toFixed(2)} ms`)
    return { bench: name, figure, baseline, unit: 'ms a booking', ratio: limit / (figure / baseline), goal: 1 }
  }
  const from = Math.floor(Date.now() / 1000) + 86_400
  say(`filling two stores with ${many.toLocaleString('en')} appointments`)
  return [
    await growth('booking-growth', { small: await fill(few), large: await fill(many) }),
    await growth('booking-growth-postgres', {
      small: await fill(few, await postgres.create('few')),
      large: await fill(many, await postgres.create('many')),
    }),
  ]
}

interface FilledStore extends ManyRdv {
  readonly env: ShopEnv
  /** The beginning of the first day, in Unix seconds. */
  readonly from: number
}

interface Shops {
  readonly small: FilledStore
  readonly large: FilledStore
}

export async function compare({ small, large }: Shops): Promise<{ figure: number; baseline: number }> {
  const subject = await bookings(large)
  const baseline = await bookings(small)
  return alternate({ rounds, subject, baseline, say: () => {} })
}

/** Resolves to a function that makes many bookings at once, as in a busy shop, and resolves to the time per booking. */
async function bookings(filled: FilledStore): Promise<() => Promise<number>> {
  const { sav } = await composed(filled.env)
  const actor = as('default')
  let booked = 0
  const lane = async (until: number) => {
    while (booked < until) {
      const n = booked
      booked += 1
      const client_id = filled.clients[n % filled.clients.length] ?? 0
      await sav.planning.book(actor, { client_id, ...freeTime(filled, filled.from, n), duree_minutes: 30 })
    }
  }
  return async () => {
    const until = booked + bookingsARound
    const start = performance.now()
    await Promise.all(Array.from({ length: atOnce }, () => lane(until)))
    return (performance.now() - start) / bookingsARound
  }
}
