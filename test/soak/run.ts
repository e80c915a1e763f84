// npm run test:soak -- [--hours N] [--store sqlite|postgres]: a shop's days in fast motion, with real processes. Each
// day one process is killed, and the store is backed up. Half-way, the secret key is rotated, and the clock changes to
// winter time.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makePostgres } from '../embedded-postgres.ts'
import { freePort } from '../free-port.ts'
import { Installation } from './installation.ts'
import { brokenInvariants, type DayFigures, settle } from './invariants.ts'
import { type Receiver, receivers } from './receivers.ts'
import { Ledger, workUntil } from './shop-day.ts'

const { values } = parseArgs({ options: { hours: { type: 'string', default: '2' }, store: { type: 'string' } } })
const durationMs = Number(values.hours) * 3_600_000
if (!(durationMs > 0)) {
  console.error('Usage: npm run test:soak -- [--hours N] [--store sqlite|postgres]')
  process.exit(2)
}
/** A day of the shop lasts five minutes; in a short run, an eighth of the run. */
const dayMs = Math.min(300_000, durationMs / 8)
/** When Paris changes from summer to winter time in 2026. */
const winterTime = Date.parse('2026-10-25T01:00:00Z')

const stores = ['sqlite', 'postgres'].filter((store) => values.store === undefined || values.store === store)
let isWhole = true
for (const store of stores) {
  const server = store === 'postgres' ? await makePostgres({ settings: { max_connections: '100' } }) : null
  await server?.start()
  try {
    isWhole = (await soak(store, server?.url('postgres') ?? null)) && isWhole
  } finally {
    await server?.stop()
  }
}
process.exit(isWhole ? 0 : 1)

/** Runs the soak test on one store. @returns whether all invariants held */
async function soak(store: string, database: string | null): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'sav-soak-'))
  const offsetMs = winterTime - (Date.now() + durationMs / 2)
  const env = {
    SOAK_CLOCK_OFFSET_MS: String(offsetMs),
    ...(database !== null && { SAV_DATABASE: database, SAV_SECRET_KEY_FILE: 'secret.key' }),
  }
  const installation = new Installation(folder, env, await freePort())
  const told = await receivers()
  try {
    const broken = await live({ store, folder, offsetMs, installation, receivers: told })
    if (broken.length === 0) await rm(folder, { recursive: true })
    else console.error(`The files of the failed run are in ${folder}`)
    return broken.length === 0
  } finally {
    await installation.stop()
    await Promise.all(told.map((receiver) => receiver.close()))
  }
}

interface Life {
  readonly store: string
  readonly folder: string
  readonly offsetMs: number
  readonly installation: Installation
  readonly receivers: readonly Receiver[]
}

/** Simulates the shop's days. @returns a sentence about each broken invariant */
async function live({ store, folder, offsetMs, installation, receivers }: Life): Promise<readonly string[]> {
  await installation.sav(['init', '--yes'])
  const permissions = 'sav:read,sav:write,directory:read,directory:write,planning:read,planning:write,admin'
  const asked = ['keys', 'create', '--name', 'soak', '--permissions', permissions]
  const { key } = await installation.sav<{ key: string }>(asked)
  for (const { url } of receivers) await installation.sav(['webhooks', 'add', url, '--all-events'])
  await installation.start('api')
  await installation.start('worker')

  const ledger = new Ledger()
  const days: DayFigures[] = []
  const endsAt = Date.now() + durationMs
  const shop = { url: installation.url, key, now: () => Date.now() + offsetMs }
  const working = workUntil(() => Date.now() >= endsAt, shop, ledger)
  await Promise.all([working, liveThrough(installation, ledger, days, endsAt, store)])
  await settle({ installation, receivers })
  const begunAt = shop.now() - durationMs
  const broken = await brokenInvariants({ installation, ledger, receivers, days, folder, begunAt })
  report(store, installation, ledger, days, broken)
  return broken
}

/** Does the kills, restarts, backups and measurements of each day. */
async function liveThrough(
  installation: Installation,
  ledger: Ledger,
  days: DayFigures[],
  endsAt: number,
  store: string,
): Promise<void> {
  const middle = endsAt - durationMs / 2
  let isRotated = false
  for (let day = 1; Date.now() < endsAt; day += 1) {
    await delay(Math.min(dayMs / 2, Math.max(0, endsAt - Date.now())))
    await installation.kill(day % 2 === 0 ? 'api' : 'worker')
    if (!isRotated && Date.now() > middle) {
      isRotated = true
      await installation.sav(['secret-key', 'rotate', '--yes'])
      await installation.restart('api')
      await installation.restart('worker')
    }
    await delay(Math.min(dayMs / 2, Math.max(0, endsAt - Date.now())))
    await installation.backup()
    const measured = {
      memory: await installation.memory(),
      ...(await installation.files()),
      cases: ledger.created.size,
    }
    days.push(measured)
    const { memory, store: megabytes, reports, log } = measured
    const sizes =
      store === 'sqlite'
        ? `, store ${megabytes.toFixed(0)} MB (reports ${reports.toFixed(0)}), log ${log.toFixed(0)} MB`
        : ''
    console.error(
      `${store} day ${day}: ${ledger.created.size} cases, ${ledger.closed.size} closed, API ${memory.api.toFixed(0)} MB, worker ${memory.worker.toFixed(0)} MB${sizes}`,
    )
  }
}

function report(
  store: string,
  { kills }: Installation,
  { created, closed, booked, erased, calls, repeated }: Ledger,
  days: readonly DayFigures[],
  broken: readonly string[],
): void {
  console.log(
    `${store}: ${(durationMs / 3_600_000).toFixed(2)} h, ${days.length} days, ${created.size} cases, ${booked.size} visits, ${closed.size} closes, ${erased.length} erasures, ${kills} kills, ${calls} calls of which ${repeated} were sent again: ${broken.length === 0 ? 'all held' : 'BROKEN'}`,
  )
  for (const sentence of broken.slice(0, 20)) console.log(`  ${sentence}`)
}
