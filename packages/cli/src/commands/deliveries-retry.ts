import { ConflictError, type Sav } from '@sav/core'
import { usageError } from '../command-error.js'
import { confirm } from '../confirmation.js'
import type { Context } from '../context.js'
import { exitCodes } from '../exit-codes.js'
import { terminalOf } from '../terminal.js'
import type { Output } from '../world.js'

type Webhooks = Sav['webhooks']
type Filter = Parameters<Webhooks['start']>[1]

export interface RetryOptions {
  readonly state?: Filter['state']
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

  const { sav, account_id } = await context.openAccount()
  if (cancel !== undefined) return cancelled(await sav.webhooks.cancel(account_id, cancel))
  if (ids.length > 0) return retryNamed(sav.webhooks, { account_id, ids: [...new Set(ids)], dryRun })
  const { matched } = await sav.webhooks.preview(account_id, filter)
  if (dryRun) return { json: { matched, retried: 0 }, text: `${matched} would be sent again.` }
  await confirm(context, { yes, question: `Send ${matched} deliveries again?` })
  return retryMatching(context, sav.webhooks, { account_id, filter })
}

/** Every delivery must exist before the first one is sent again; one that is under way right now is left alone. */
async function retryNamed(
  webhooks: Webhooks,
  {
    account_id,
    ids,
    dryRun,
  }: { readonly account_id: string; readonly ids: readonly string[]; readonly dryRun: boolean },
): Promise<Output> {
  for (const id of ids) await webhooks.show(account_id, id)
  const matched = ids.length
  if (dryRun) return { json: { matched, retried: 0 }, text: `${matched} would be sent again.` }
  const underWay: string[] = []
  for (const id of ids) {
    await webhooks.retry(account_id, id).catch((error: unknown) => {
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
  webhooks: Webhooks,
  { account_id, filter }: { readonly account_id: string; readonly filter: Filter },
): Promise<Output> {
  const { stderr } = context
  const showsProgress = terminalOf(stderr, context.env).isTerminal
  let interrupted = false
  void context.untilStopped().then(() => {
    interrupted = true
  })
  let job = await webhooks.start(account_id, filter)
  while (job.state === 'running' && !interrupted) {
    await webhooks.step()
    job = await webhooks.progress(account_id, job.id)
    if (showsProgress) stderr.write(`\r${job.retried} of ${job.matched} opened again`)
  }
  if (showsProgress) stderr.write('\n')
  const { id, matched, retried, state } = job
  const json = { matched, retried, replay: id, state }
  if (state === 'done') return { json, text: `${retried} of ${matched} will be sent again at once.` }
  const text =
    state === 'cancelled'
      ? `Cancelled after ${retried} of ${matched}.`
      : `Interrupted after ${retried} of ${matched}: a worker goes on with it. To end it: sav webhooks retry --cancel ${id}`
  return { json, text, exitCode: state === 'cancelled' ? exitCodes.failed : exitCodes.interrupted }
}

function cancelled(job: Awaited<ReturnType<Webhooks['cancel']>>): Output {
  const { id, state, matched, retried } = job
  const text = state === 'cancelled' ? 'is cancelled' : 'had ended already'
  return {
    json: { matched, retried, replay: id, state },
    text: `${id} ${text}; ${retried} of ${matched} were sent again.`,
  }
}
