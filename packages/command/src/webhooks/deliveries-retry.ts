import { ConflictError, type DeliveryView, type ReplayInput, type ReplayView } from '@sav/core'
import { SavApiError, type SavClient } from '@sav/http-node/client'
import type { AllAccounts } from '../invocation/all-accounts.js'
import type { Context } from '../invocation/context.js'
import { CommandError, usageError } from '../process/command-error.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { confirm } from '../terminal/confirmation.js'
import { refuseUnknownEndpoint } from './receivers.js'
import { outlookOfMatching, retriedSentence, retryMatching, told, wouldRetry } from './retry-matching.js'
import { deliveries, outlookOf, shownOutlook } from './retry-outlook.js'

export interface RetryOptions extends AllAccounts {
  readonly state?: ReplayInput['state']
  readonly endpoint?: string
  readonly event?: string
  readonly since?: string
  readonly dry_run?: boolean
  readonly yes?: boolean
  /** The id of a running retry of all matching deliveries, which is to be cancelled. The API calls it a replay. */
  readonly cancel?: string
}

/** Sends the given deliveries again, or all deliveries that match the options; or cancels a running retry. */
export async function retryDeliveries(
  context: Context,
  ids: readonly string[],
  options: RetryOptions,
): Promise<Output> {
  const { cancel, dry_run = false, yes, endpoint, all_accounts, ...rest } = options
  const filter = { ...rest, endpoint_id: endpoint }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  if (ids.length > 0 && isFiltered) throw usageError('Give deliveries, or options that select them, not both.')
  if (cancel !== undefined && (isFiltered || ids.length > 0))
    throw usageError('--cancel takes the id of a retry (rpl_…), and nothing else.')

  if (all_accounts) {
    if (ids.length > 0) throw usageError('Give deliveries or --all-accounts, not both.')
    return (await import('./deliveries-retry-all.js')).retryInAllAccounts(context, filter, { dry_run, yes })
  }
  const api = await context.api()
  if (cancel !== undefined) {
    const call = { params: { replay: cancel } }
    return cancelled((await api.post('/api/v1/webhooks/livraisons/rejouer/{replay}/annuler', call)).data)
  }
  if (ids.length > 0) return retryNamed(context, api, { ids: [...new Set(ids)], dry_run })
  const outlook = await outlookOfMatching(api, context.account, filter)
  const { matched, removed } = outlook
  if (matched === 0 && endpoint !== undefined) await refuseUnknownEndpoint(api, endpoint)
  if (dry_run) return wouldRetry(outlook)
  const json = { matched, ...told(outlook), retried: 0 }
  if (matched === 0) return { json, text: 'No delivery matches: nothing is sent again.' }
  if (matched === removed) return { json, text: shownOutlook('Nothing is sent again.', outlook) }
  await confirm(context, { yes, question: `Send ${deliveries(matched - removed)} again?` })
  return retryMatching(context, api, { filter, outlook })
}

/**
 * Sends the given deliveries again. If one of them does not exist, none is sent. A delivery that is being attempted is
 * skipped.
 */
async function retryNamed(
  { account }: Pick<Context, 'account'>,
  api: SavClient,
  { ids, dry_run }: { readonly ids: readonly string[]; readonly dry_run: boolean },
): Promise<Output> {
  const named: DeliveryView[] = []
  for (const delivery of ids)
    named.push((await api.get('/api/v1/webhooks/livraisons/{delivery}', { params: { delivery } })).data)
  const outlook = await outlookOf(api, {
    account,
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
    // A delivery to a removed endpoint already has a line of its own in `refused`.
    text: [shownOutlook(retriedSentence(retried, outlook), { ...outlook, removed: 0 }), ...refused].join('\n'),
    exitCode: refused.length === 0 ? exitCodes.done : exitCodes.failed,
  }
}

function isConflict(error: unknown): error is Error {
  const { cause } = error instanceof CommandError ? error : {}
  return error instanceof ConflictError || (cause instanceof SavApiError && cause.status === 409)
}

function cancelled({ id, state, matched, retried }: ReplayView): Output {
  const text = state === 'cancelled' ? 'is cancelled' : 'had ended already'
  return {
    json: { matched, retried, replay: id, state },
    text: `${id} ${text}; ${retried} of ${deliveries(matched)} were sent again.`,
  }
}
