import type { Contender } from '#contenders/contender'
import { type Batch, inFlight, usual } from '#delivering'
import { runSav, startSav } from '#processes'
import { fillShop } from '#shop'
import { shopEnv } from '#shop-env'

/** This service as a contender. */
export function sav(folder: string, { count }: Pick<Batch, 'count'> = usual): Contender {
  const env = { ...shopEnv(folder), SAV_WEBHOOK_CONCURRENCY: `${inFlight},${inFlight}` }
  return {
    name: 'sav',
    fill: async ({ database, url }) => {
      // The shop is filled on SQLite: on PostgreSQL, creating one account's cases would take several times as long.
      await fillShop(folder, env, { cases: count, days: 0, receivers: [url] })
      await runSav(['copy', '--from', env.SAV_DATABASE, '--to', database], { folder, env })
    },
    start: async ({ database }) => startSav(['worker'], { folder, env: { ...env, SAV_DATABASE: database } }),
    // A delivered webhook leaves the queue. No webhook leaves it for another reason, since the receiver refuses none.
    recorded: `select ${count} - count(*) as count from delivery_queue`,
  }
}
