import type { DeliveryView, HistoryInput } from '@sav/core'
import type { SavClient } from '@sav/http-node/client'
import type { Context } from '../invocation/context.js'
import { type PeopleTime, peopleTime } from '../terminal/people-time.js'
import { jsonText } from '../terminal/safe-text.js'
import { oneLine } from '../terminal/terminal.js'
import { lookUntilStopped } from '../terminal/watch.js'
import { hostOf, receiversOf } from './receivers.js'

/** The time between two reads. */
const lookMs = 1000

/** The most deliveries per read. If more change between two reads, the oldest are not shown. */
const lookedAt = 200

/**
 * Prints a line for each new delivery, and for each attempt of the latest ones, until the command is stopped. With
 * `--json`, each line is JSON.
 */
export async function followDeliveries(context: Context, api: SavClient, filter: HistoryInput): Promise<undefined> {
  const { json, stdout } = context
  const local = peopleTime(context)
  const known = await receiversOf(api)
  let seen: ReadonlyMap<string, string> | null = null
  await lookUntilStopped(
    context,
    async () => {
      const query = { ...filter, limite: lookedAt }
      const { data: items } = await api.get('/api/v1/webhooks/livraisons', { query })
      const before = seen
      const changed =
        before === null ? items.slice(0, 10) : items.filter((item) => before.get(item.id) !== markOf(item))
      for (const item of changed.toReversed())
        stdout.write(`${json ? jsonText(item) : lineOf(item, { local, to: hostOf(known, item) })}\n`)
      seen = new Map(items.map((item) => [item.id, markOf(item)]))
    },
    { everyMs: lookMs },
  )
}

/** A text that changes with each attempt of a delivery; then the delivery is shown again. */
const markOf = ({ state, attempt_count }: DeliveryView) => `${state} ${attempt_count}`

function lineOf(item: DeliveryView, { local, to }: { readonly local: PeopleTime; readonly to: string }): string {
  const { id, created_at, event, reference, state, attempt_count, last_error } = item
  const attempts = attempt_count === 0 ? '' : `attempt ${attempt_count}`
  const parts = [local.at(created_at), id, event, reference ?? '', to, state, attempts, last_error ?? '']
  return oneLine(parts.filter((part) => part !== '').join('  '))
}
