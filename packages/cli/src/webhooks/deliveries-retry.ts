import { setTimeout } from 'node:timers/promises'
import { ConflictError, type ReplayInput, type ReplayView } from '@sav/core'
import { createReplaySteps } from '@sav/core/internal'
import { SavApiError, type SavClient } from '@sav/http-node/client'
import { systemClock } from '@sav/http-node/runtime'
import type { Context } from '../invocation/context.js'
import { CommandError, usageError } from '../process/command-error.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { confirm } from '../terminal/confirmation.js'
import { progressLine } from '../terminal/progress-line.js'
import { counted } from '../terminal/terminal.js'
import { refuseUnknownEndpoint } from './receivers.js'

export interface RetryOptions {
  readonly state?: ReplayInput['state']
  readonly endpoint?: string
  readonly event?: string
  readonly since?: string
  readonly dry_run?: boolean
  readonly yes?: boolean
  /** Id of a retry of all that matched: a replay, in the API. */
  readonly cancel?: string
}

const deliveries = (count: number) => counted(count, 'delivery', 'deliveries')

/** Sends named deliveries again, or all that match; or ends an order to do so. */
export async function retryDeliveries(
  context: Context,
  ids: readonly string[],
  options: RetryOptions,
): Promise<Output> {
  const { cancel, dry_run = false, yes, endpoint, ...rest } = options
  const filter = { ...rest, endpoint_id: endpoint }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  if (ids.length > 0 && isFiltered) throw usageError('Name deliveries, or say which ones match: not both.')
  if (cancel !== undefined && (isFiltered || ids.length > 0))
    throw usageError('--cancel takes the id of a retry (rpl_…), and nothing else.')

  const api = await context.api()
  if (cancel !== undefined) {
    const call = { params: { replay: cancel } }
    return cancelled((await api.post('/api/v1/webhooks/livraisons/rejouer/{replay}/annuler', call)).data)
  }
  if (ids.length > 0) return retryNamed(api, { ids: [...new Set(ids)], dry_run })
  const { data } = await api.post('/api/v1/webhooks/livraisons/rejouer', { body: { ...filter, dry_run: true } })
  const { matched } = data
  if (matched === 0 && endpoint !== undefined) await refuseUnknownEndpoint(api, endpoint)
  if (dry_run) return { json: { matched, retried: 0 }, text: `${deliveries(matched)} would be sent again.` }
  if (matched === 0) return { json: { matched, retried: 0 }, text: 'No delivery matches: nothing is sent again.' }
  await confirm(context, { yes, question: `Send ${deliveries(matched)} again?` })
  return retryMatching(context, api, filter)
}

/** Every delivery must exist before the first one is sent again; one that is under way right now is left alone. */
async function retryNamed(
  api: SavClient,
  { ids, dry_run }: { readonly ids: readonly string[]; readonly dry_run: boolean },
): Promise<Output> {
  for (const delivery of ids) await api.get('/api/v1/webhooks/livraisons/{delivery}', { params: { delivery } })
  const matched = ids.length
  if (dry_run) return { json: { matched, retried: 0 }, text: `${deliveries(matched)} would be sent again.` }
  const underWay: string[] = []
  for (const delivery of ids) {
    const call = { params: { delivery } }
    await api.post('/api/v1/webhooks/livraisons/{delivery}/rejouer', call).catch((error: unknown) => {
      if (!isConflict(error)) throw error
      underWay.push(error.message)
    })
  }
  const retried = matched - underWay.length
  return {
    json: { matched, retried },
    text: [`${retried} of ${deliveries(matched)} will be sent again at once.`, ...underWay].join('\n'),
    exitCode: underWay.length === 0 ? exitCodes.done : exitCodes.failed,
  }
}

function isConflict(error: unknown): error is Error {
  const { cause } = error instanceof CommandError ? error : {}
  return error instanceof ConflictError || (cause instanceof SavApiError && cause.status === 409)
}

/** Between two looks at how far a service has come. */
const lookMs = 250

/** The order is durable: whatever ends this process, a worker carries it out. */
async function retryMatching(context: Context, api: SavClient, body: ReplayInput): Promise<Output> {
  const progress = progressLine(context)
  let interrupted = false
  void context.untilStopped().then(() => {
    interrupted = true
  })
  // A service carries it on by itself.
  const advance =
    context.remote === null
      ? createReplaySteps({ storage: (await context.open()).storage, clock: systemClock })
      : () => setTimeout(lookMs)
  const { data: started } = await api.post('/api/v1/webhooks/livraisons/rejouer', { body })
  if (!('id' in started)) throw new TypeError('The service counted, and began no replay.')
  let job = started
  const call = { params: { replay: started.id } }
  while (job.state === 'running' && !interrupted) {
    await advance()
    job = (await api.get('/api/v1/webhooks/livraisons/rejouer/{replay}', call)).data
    progress.show(`${job.retried} of ${job.matched} opened again`)
  }
  progress.keep()
  const { id, matched, retried, state } = job
  const json = { matched, retried, replay: id, state }
  if (state === 'done') {
    const left = 'The others are being attempted right now, or their endpoint was removed.'
    const sent = `${retried} of ${deliveries(matched)} will be sent again at once.`
    return { json, text: retried < matched ? `${sent}\n${left}` : sent }
  }
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
    text: `${id} ${text}; ${retried} of ${deliveries(matched)} were sent again.`,
  }
}
