import type { EndpointView } from '@sav/core'
import type { EventKind } from '@sav/webhook-verify'
import type { Context } from '../invocation/context.js'
import { CommandError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { inAccount } from '../syntax/in-account.js'
import { confirm } from '../terminal/confirmation.js'
import { counted, oneLine } from '../terminal/terminal.js'

export interface TriggerOptions {
  readonly endpoint?: string
  readonly yes?: boolean
}

/**
 * Sends an example event to one endpoint, or to all endpoints that chose its kind. It is signed and delivered like any
 * other event.
 */
export async function trigger(context: Context, kind: EventKind, { endpoint, yes }: TriggerOptions): Promise<Output> {
  const api = await context.api()
  const to =
    endpoint === undefined
      ? (await api.get('/api/v1/webhooks')).data.filter(takes(kind))
      : [(await api.get('/api/v1/webhooks/{endpoint}', { params: { endpoint } })).data]
  if (to.length === 0)
    throw new CommandError(
      'not_found',
      `No enabled endpoint takes ${kind}: add one with \`${inAccount('sav webhooks add URL', context.account)}\`, or name one with --endpoint.`,
    )
  const strangers = to.filter(({ url }) => !isOwnMachine(url)).map(({ url }) => oneLine(url))
  if (strangers.length > 0)
    await confirm(context, { yes, question: `Send an example of ${kind} to ${strangers.join(', ')}?` })
  const sent: { endpoint_id: string; delivery_id: string }[] = []
  for (const { id } of to) {
    const call = { params: { endpoint: id }, body: { event: kind } }
    sent.push({ endpoint_id: id, ...(await api.post('/api/v1/webhooks/{endpoint}/tester', call)).data })
  }
  const shown = sent.map(({ delivery_id }) => inAccount(`sav webhooks show ${delivery_id}`, context.account))
  return {
    json: sent,
    text: [`Queued for ${counted(sent.length, 'endpoint')}. To see the results:`, ...shown].join('\n'),
  }
}

const takes =
  (kind: EventKind) =>
  ({ events, disabled_at }: EndpointView): boolean =>
    disabled_at === null && events.includes(kind)

const isOwnMachine = (url: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)
