import { setTimeout } from 'node:timers/promises'
import { ConflictError, type DeliveryView, type ReplayInput, type ReplayView } from '@sav/core'
import { createReplaySteps } from '@sav/core/internal'
import { SavApiError, type SavClient } from '@sav/http-node/client'
import { systemClock } from '@sav/http-node/runtime'
import type { Context } from '../invocation/context.js'
import { CommandError, usageError } from '../process/command-error.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { confirm } from '../terminal/confirmation.js'
import { progressLine } from '../terminal/progress-line.js'
import { refuseUnknownEndpoint } from './receivers.js'
import { deliveries, type Outlook, outlookOf, shownOutlook } from './retry-outlook.js'

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
  const outlook = await outlookOf(api, {
    matched: data.matched,
    // Of an account as a whole the service does not count them.
    outside: (targets) => (endpoint === undefined || targets.has(endpoint) ? 0 : data.matched),
    async anyTo(endpoint_id) {
      if (endpoint !== undefined && endpoint !== endpoint_id) return false
      const query = { ...rest, state: rest.state ?? 'failed', endpoint_id, limite: 1 }
      return (await api.get('/api/v1/webhooks/livraisons', { query })).data.length > 0
    },
  })
  const { matched, removed } = outlook
  if (matched === 0 && endpoint !== undefined) await refuseUnknownEndpoint(api, endpoint)
  if (dry_run) return wouldRetry(outlook)
  const json = { matched, ...told(outlook), retried: 0 }
  if (matched === 0) return { json, text: 'No delivery matches: nothing is sent again.' }
  if (matched === removed) return { json, text: shownOutlook('Nothing is sent again.', outlook) }
  await confirm(context, { yes, question: `Send ${deliveries(matched - removed)} again?` })
  return retryMatching(context, api, { filter, outlook })
}

/** What a script is told where it is known. */
const told = ({ removed }: Outlook) => removed > 0 && { removed }

function wouldRetry(outlook: Outlook): Output {
  const { matched, removed } = outlook
  return {
    json: { matched, ...told(outlook), retried: 0 },
    text: shownOutlook(`${deliveries(matched - removed)} would be sent again.`, outlook),
  }
}

const retriedSentence = (retried: number, { matched, disabled }: Outlook) =>
  `${retried} of ${deliveries(matched)} will be sent again${disabled.length === 0 ? ' at once' : ''}.`

/** Every delivery must exist before the first one is sent again; one that is under way right now is left alone. */
async function retryNamed(
  api: SavClient,
  { ids, dry_run }: { readonly ids: readonly string[]; readonly dry_run: boolean },
): Promise<Output> {
  const named: DeliveryView[] = []
  for (const delivery of ids)
    named.push((await api.get('/api/v1/webhooks/livraisons/{delivery}', { params: { delivery } })).data)
  const outlook = await outlookOf(api, {
    matched: ids.length,
    outside: (targets) => named.filter(({ endpoint_id }) => !targets.has(endpoint_id)).length,
    anyTo: (endpoint) => named.some(({ endpoint_id }) => endpoint_id === endpoint),
  })
  if (dry_run) return wouldRetry(outlook)
  const refused: string[] = []
  for (const delivery of ids) {
    const call = { params: { delivery } }
    await api.post('/api/v1/webhooks/livraisons/{delivery}/rejouer', call).catch((error: unknown) => {
      if (!isConflict(error)) throw error
      refused.push(error.message)
    })
  }
  const { matched } = outlook
  const retried = matched - refused.length
  return {
    json: { matched, ...told(outlook), retried },
    // What was removed says so itself.
    text: [shownOutlook(retriedSentence(retried, outlook), { ...outlook, removed: 0 }), ...refused].join('\n'),
    exitCode: refused.length === 0 ? exitCodes.done : exitCodes.failed,
  }
}

function isConflict(error: unknown): error is Error {
  const { cause } = error instanceof CommandError ? error : {}
  return error instanceof ConflictError || (cause instanceof SavApiError && cause.status === 409)
}

/** Between two looks at how far a service has come. */
const lookMs = 250

/** The order is durable: whatever ends this process, a worker carries it out. */
async function retryMatching(
  context: Context,
  api: SavClient,
  { filter, outlook }: { readonly filter: ReplayInput; readonly outlook: Outlook },
): Promise<Output> {
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
  const { data: started } = await api.post('/api/v1/webhooks/livraisons/rejouer', { body: filter })
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
    const text = shownOutlook(retriedSentence(retried, { ...outlook, matched }), outlook)
    const left = 'The others are being attempted right now, or their endpoint was removed.'
    return { json, text: retried < matched ? `${text}\n${left}` : text }
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
