import type { DeliveryView, EndpointView } from '@sav/core'
import { sign } from '@sav/webhook-verify'
import type { Context } from '../invocation/context.js'
import { CommandError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { quotedWord } from '../syntax/shell-word.js'
import { oneLine } from '../terminal/terminal.js'
import { secretOf } from './signing-secret.js'

interface SentDelivery {
  readonly delivery: DeliveryView
  /** Undefined if the endpoint was removed. */
  readonly endpoint: EndpointView | undefined
  readonly body: string | null
}

/**
 * A shell command that sends the bytes of a delivery to its endpoint again. They are signed with the secret in
 * SAV_WEBHOOK_SECRET, if it is set; otherwise they are not signed, because the service never reveals a secret. Custom
 * headers are left out. Comments in the command say what is missing.
 */
export async function asCurl(context: Context, { delivery, endpoint, body }: SentDelivery): Promise<Output> {
  const { event_id, event } = delivery
  if (endpoint === undefined || body === null)
    throw new CommandError(
      'no_request',
      `There is no request to show: ${endpoint === undefined ? 'the endpoint was removed' : 'the delivery is a letter, or the API key may not read its data'}.`,
    )
  const secret = await secretOf(context, undefined)
  const timestamp = Math.floor(Date.now() / 1000)
  const signed = secret === null ? { 'webhook-id': event_id } : await sign({ id: event_id, timestamp, body, secret })
  const headers = { 'Content-Type': 'application/json', 'X-Webhook-Event': event, ...signed }
  const lines = [
    `curl ${quotedWord(oneLine(endpoint.url))}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quotedWord(`${name}: ${value}`)}`),
    `  --data-raw ${quotedWord(body)}`,
  ]
  const command = lines.join(' \\\n')
  const names = endpoint.headers.join(', ')
  const comments = [
    ...(secret === null ? ['# Not signed: put the secret of its endpoint into SAV_WEBHOOK_SECRET.'] : []),
    ...(names === '' ? [] : [`# Left out, since the service never reveals their values: the headers ${names}.`]),
  ]
  return { json: { command }, text: [...comments, command].join('\n'), isVerbatim: true }
}
