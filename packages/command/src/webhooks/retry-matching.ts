import { setTimeout } from 'node:timers/promises'
import type { ReplayInput } from '@sav/core'
import { createReplaySteps } from '@sav/core/adapter'
import type { SavClient } from '@sav/http-node/client'
import { systemClock } from '@sav/http-node/runtime'
import type { Context } from '../invocation/context.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { inAccount } from '../syntax/in-account.js'
import { progressLine } from '../terminal/progress-line.js'
import { deliveries, type Outlook, outlookOf, shownOutlook } from './retry-outlook.js'

/** Finds out what a retry of all matching deliveries in an account would do. */
export async function outlookOfMatching(api: SavClient, account: string, filter: ReplayInput): Promise<Outlook> {
  const { endpoint_id: endpoint, ...rest } = filter
  const { data } = await api.post('/api/v1/webhooks/livraisons/rejouer', { body: { ...filter, dry_run: true } })
  return outlookOf(api, {
    account,
    matched: data.matched,
    // For a whole account, the API does not count the deliveries to removed endpoints, so none are reported.
    outside: (targets) => (endpoint === undefined || targets.has(endpoint) ? 0 : data.matched),
    async anyTo(endpoint_id) {
      if (endpoint !== undefined && endpoint !== endpoint_id) return false
      const query = { ...rest, state: rest.state ?? 'failed', endpoint_id, limite: 1 }
      return (await api.get('/api/v1/webhooks/livraisons', { query })).data.length > 0
    },
  })
}

/** The field `removed` of the JSON, left out if it is 0. */
export const told = ({ removed }: Outlook) => removed > 0 && { removed }

export function wouldRetry(outlook: Outlook): Output {
  const { matched, removed } = outlook
  return {
    json: { matched, ...told(outlook), retried: 0 },
    text: shownOutlook(`${deliveries(matched - removed)} would be sent again.`, outlook),
  }
}

export const retriedSentence = (retried: number, { matched, disabled }: Outlook) =>
  `${retried} of ${deliveries(matched)} will be sent again${disabled.length === 0 ? ' at once' : ''}.`

/** The time between two reads of a service's progress. */
const lookMs = 250

/**
 * Retries all matching deliveries, and shows the progress. The retry is stored: if this process ends, a worker
 * continues it.
 */
export async function retryMatching(
  context: Context,
  api: SavClient,
  { filter, outlook }: { readonly filter: ReplayInput; readonly outlook: Outlook },
): Promise<Output> {
  const progress = progressLine(context)
  let interrupted = false
  void context.untilStopped().then(() => {
    interrupted = true
  })
  // A service continues the retry by itself, so this process only waits.
  const advance =
    context.remote === null
      ? createReplaySteps({ storage: (await context.open()).storage, clock: systemClock })
      : () => setTimeout(lookMs)
  const { data: started } = await api.post('/api/v1/webhooks/livraisons/rejouer', { body: filter })
  if (!('id' in started)) throw new TypeError('The service counted the deliveries, but started no replay.')
  let job = started
  const call = { params: { replay: started.id } }
  while (job.state === 'running' && !interrupted) {
    await advance()
    job = (await api.get('/api/v1/webhooks/livraisons/rejouer/{replay}', call)).data
    progress.show(`${job.retried} of ${job.matched} queued again`)
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
      : `Interrupted after ${retried} of ${matched}: a worker continues it. To cancel it: ${inAccount(`sav webhooks retry --cancel ${id}`, outlook.account)}`
  return { json, text, exitCode: state === 'cancelled' ? exitCodes.failed : exitCodes.interrupted }
}
