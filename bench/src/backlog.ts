import { as, composed } from '#composed'
import { runPart } from '#processes'
import type { ShopEnv } from '#shop-env'
import { execute, wordsOf } from '#sql'

/** Puts deliveries into a shop that failed once and wait, for an hour and more, for another endpoint of their own. */
export function fillBacklog(env: ShopEnv, backlog: number): Promise<void> {
  return runPart(import.meta.url, insertBacklog, { env, backlog })
}

/** The rows that the service would have left, in one transaction; their ids sort before those of today. */
export async function insertBacklog({ env, backlog }: { env: ShopEnv; backlog: number }): Promise<void> {
  const { sav, storage } = await composed(env)
  const { id: target } = await sav.webhooks.endpoints.add(as('default'), {
    url: 'http://127.0.0.1:9/',
    events: ['sav.closed'],
  })
  await storage.close()

  const now = new Date()
  const dueSeconds = Math.floor(now.getTime() / 1000) + 3600
  const { numbers, hex, instant } = wordsOf(env, backlog)
  const id = (prefix: string) => `'${prefix}_00' || ${hex('i', 8)} || ${hex('i * 7919', 16)}`
  const at = `'${now.toISOString()}'`
  const due = instant(`${dueSeconds} + i / 1000.0`)
  const body = `'{"event":"sav.closed","timestamp":"${now.toISOString()}","data":{"event_id":"' || ${id('evt')}
    || '","id":' || i || ',"statut":"clos","priorite":"haute","type_probleme":"reglage","client":{"id":1},"version":2}}'`
  const inserts = [
    `insert into events (account_id, id, event, body, created_at)
      select 'default', ${id('evt')}, 'sav.closed', ${body}, ${at} from n`,
    `insert into deliveries (
        account_id, id, event_id, event, channel, target, state, attempt_count, next_attempt_at, last_status, last_error,
        created_at
      )
      select 'default', ${id('dlv')}, ${id('evt')}, 'sav.closed', 'webhook', '${target}', 'pending', 1, ${due}, 503,
        'answered 503', ${at} from n`,
    `insert into delivery_queue (
        account_id, created_at, id, event_id, event, channel, target, lane, attempt_count, run_attempt_count,
        run_started_at, next_attempt_at, available_at
      )
      select 'default', ${at}, ${id('dlv')}, ${id('evt')}, 'sav.closed', 'webhook', '${target}', 'retry', 1, 1,
        ${at}, ${due}, ${due} from n`,
    `insert into attempts (
        account_id, delivery_id, n, started_at, duration_ms, status, error, response_headers, response
      )
      select 'default', ${id('dlv')}, 1, ${at}, 12, 503, 'answered 503', '{"content-length":"6"}', 'broken' from n`,
  ]
  await execute(
    env,
    inserts.map((insert) => `with recursive ${numbers} ${insert}`),
  )
}
