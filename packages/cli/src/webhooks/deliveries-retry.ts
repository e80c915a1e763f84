import { type Actor, ConflictError, createReplaySteps, type ReplayInput, type ReplayView, type Sav } from '@sav/core'
import type { Storage } from '@sav/core/ports'
import { systemClock } from '@sav/http-node/runtime'
import { usageError } from '../invocation/command-error.js'
import type { Context } from '../invocation/context.js'
import { exitCodes } from '../invocation/exit-codes.js'
import type { Output } from '../invocation/output.js'
import { confirm } from '../terminal/confirmation.js'
import { counted } from '../terminal/counted.js'
import { progressLine } from '../terminal/progress-line.js'
import { refuseUnknownEndpoint } from './deliveries.js'

type Webhooks = Sav['webhooks']

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

  const { sav, storage, account_id, actor } = await context.openAccount()
  if (cancel !== undefined) return cancelled(await sav.webhooks.replays.cancel(actor, cancel))
  if (ids.length > 0) return retryNamed(sav.webhooks.deliveries, { actor, ids: [...new Set(ids)], dryRun })
  const { matched } = await sav.webhooks.replays.preview(account_id, filter)
  if (matched === 0 && endpoint !== undefined) await refuseUnknownEndpoint({ sav, storage, account_id }, endpoint)
  if (dryRun) return { json: { matched, retried: 0 }, text: `${matched} would be sent again.` }
  await confirm(context, { yes, question: `Send ${counted(matched, 'delivery', 'deliveries')} again?` })
  return retryMatching(context, sav.webhooks.replays, { storage, actor, filter })
}

/** Every delivery must exist before the first one is sent again; one that is under way right now is left alone. */
async function retryNamed(
  deliveries: Webhooks['deliveries'],
  { actor, ids, dryRun }: { readonly actor: Actor; readonly ids: readonly string[]; readonly dryRun: boolean },
): Promise<Output> {
  for (const id of ids) await deliveries.get(actor.account_id, id)
  const matched = ids.length
  if (dryRun) return { json: { matched, retried: 0 }, text: `${matched} would be sent again.` }
  const underWay: string[] = []
  for (const id of ids) {
    await deliveries.retry(actor, id).catch((error: unknown) => {
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
  replays: Webhooks['replays'],
  { storage, actor, filter }: { readonly storage: Storage; readonly actor: Actor; readonly filter: ReplayInput },
): Promise<Output> {
  const progress = progressLine(context)
  let interrupted = false
  void context.untilStopped().then(() => {
    interrupted = true
  })
  const step = createReplaySteps({ storage, clock: systemClock })
  let job = await replays.start(actor, filter)
  while (job.state === 'running' && !interrupted) {
    await step()
    job = await replays.get(actor.account_id, job.id)
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
