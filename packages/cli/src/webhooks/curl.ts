import type { DeliveryView } from '@sav/core'
import { sign } from '@sav/webhook-verify'
import type { Context } from '../invocation/context.js'
import { CommandError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { quotedWord } from '../syntax/shell-word.js'
import { oneLine } from '../terminal/terminal.js'
import { secretOf } from './signing-secret.js'

interface SentDelivery {
  readonly delivery: DeliveryView
  /** The URL of the endpoint; undefined: it was removed. */
  readonly url: string | undefined
  readonly body: string | null
}

/**
 * A command for a shell that sends the same bytes to the same place. The service never tells a secret: it is signed as of
 * now where SAV_WEBHOOK_SECRET holds one, and else not at all; custom headers are left out.
 */
export async function asCurl(context: Context, { delivery, url, body }: SentDelivery): Promise<Output> {
  const { event_id, event } = delivery
  if (url === undefined || body === null)
    throw new CommandError(
      'no_request',
      `There is no request to show: ${url === undefined ? 'its endpoint was removed' : 'it is a letter, or the key may not read what it tells of'}.`,
    )
  const secret = await secretOf(context, undefined)
  const timestamp = Math.floor(Date.now() / 1000)
  const signed = secret === null ? { 'webhook-id': event_id } : await sign({ id: event_id, timestamp, body, secret })
  const headers = { 'Content-Type': 'application/json', 'X-Webhook-Event': event, ...signed }
  const lines = [
    `curl ${quotedWord(oneLine(url))}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quotedWord(`${name}: ${value}`)}`),
    `  --data-raw ${quotedWord(body)}`,
  ]
  const command = lines.join(' \\\n')
  const unsigned = '# Not signed: put the secret of its endpoint into SAV_WEBHOOK_SECRET.\n'
  return { json: { command }, text: secret === null ? `${unsigned}${command}` : command, isVerbatim: true }
}
