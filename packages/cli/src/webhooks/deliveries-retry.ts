import { ConflictError, type ReplayInput, type ReplayView } from '@sav/core'
import { usageError } from '../invocation/command-error.js'
import type { Context } from '../invocation/context.js'
import { exitCodes } from '../invocation/exit-codes.js'
import type { Output } from '../invocation/output.js'
import { confirm } from '../terminal/confirmation.js'
import { counted } from '../terminal/counted.js'
import { progressLine } from '../terminal/progress-line.js'
import { refuseUnknownEndpoint } from './deliveries.js'
import { type ReachableWebhooks, reachableWebhooks } from './reachable-webhooks.js'

export interface RetryOptions {
  readonly state?: ReplayInput['state']
  readonly endpoint?: string
  readonly event?: string
  readonly since?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
  /** Id of a replay. */
  readonly cancel?: string
}

/** Sends named deliveries again, or all that match; or ends an order to do so. */
export async function retryDeliveries(
  context: Context,
  ids: readonly string[],
  options: RetryOptions,
): Promise<Output> {
  const { cancel, dryRun = false, yes, endpoint, ...rest } = options
  const filter = { ...rest, endpoint_id: endpoint }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  if (ids.length > 0 && isFiltered) throw usageError('Name deliveries, or say which ones match: not both.')
  if (cancel !== undefined && (isFiltered || ids.length > 0))
    throw usageError('--cancel takes a replay, and nothing else.')

  const webhooks = await reachableWebhooks(context)
  const { deliveries, replays } = webhooks
  if (cancel !== undefined) return cancelled(await replays.cancel(cancel))
  if (ids.length > 0) return retryNamed(deliveries, { ids: [...new Set(ids)], dryRun })
  const { matched } = await replays.preview(filter)
  if (matched === 0 && endpoint !== undefined) await refuseUnknownEndpoint(webhooks, endpoint)
  if (dryRun) return { json: { matched, retried: 0 }, text: `${matched} would be sent again.` }
  await confirm(context, { yes, question: `Send ${counted(matched, 'delivery', 'deliveries')} again?` })
  return retryMatching(context, replays, filter)
}

/** Every delivery must exist before the first one is sent again; one that is under way right now is left alone. */
async function retryNamed(
  deliveries: ReachableWebhooks['deliveries'],
  { ids, dryRun }: { readonly ids: readonly string[]; readonly dryRun: boolean },
): Promise<Output> {
  for (const id of ids) await deliveries.get(id)
  const matched = ids.length
  if (dryRun) return { json: { matched, retried: 0 }, text: `${matched} would be sent again.` }
  const underWay: string[] = []
  for (const id of ids) {
    await deliveries.retry(id).catch((error: unknown) => {
      if (!(error instanceof ConflictError)) throw error
      underWay.push(error.message)
    })
  }
  const retried = matched - underWay.length
  return {
    json: { matched, retried },
    text: [`${retried} of ${matched} will be sent again at once.`, ...underWay].join('\n'),
    exitCode: underWay.length === 0 ? exitCodes.done : exitCodes.failed,
  }
}

/** The order is durable: whatever ends this process, a worker carries it out. */
async function retryMatching(
  context: Context,
  replays: ReachableWebhooks['replays'],
  filter: ReplayInput,
): Promise<Output> {
  const progress = progressLine(context)
  let interrupted = false
  void context.untilStopped().then(() => {
    interrupted = true
  })
  let job = await replays.start(filter)
  while (job.state === 'running' && !interrupted) {
    await replays.advance()
    job = await replays.get(job.id)
    progress.show(`${job.retried} of ${job.matched} opened again`)
  }
  progress.keep()
  const { id, matched, retried, state } = job
  const json = { matched, retried, replay: id, state }
  if (state === 'done') return { json, text: `${retried} of ${matched} will be sent again at once.` }
  const text =
    state === 'cancelled'
      ? `Cancelled after ${retried} of ${matched}.`
      : `Interrupted after ${retried} of ${matched}: a worker goes on with it. To end it: sav webhooks retry --cancel ${id}`
  return { json, text, exitCode: state === 'cancelled' ? exitCodes.failed : exitCodes.interrupted }
}

function cancelled({ id, state, matched, retried }: ReplayView): Output {
  const text = state === 'cancelled' ? 'is cancelled' : 'had ended already'
  return {
    json: { matched, retried, replay: id, state },
    text: `${id} ${text}; ${retried} of ${matched} were sent again.`,
  }
}
