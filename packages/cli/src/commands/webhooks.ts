import { type AddEndpointInput, eventKinds } from '@sav/core'
import { usageError } from '../command-error.js'
import type { Context } from '../context.js'
import { fields, table } from '../table.js'
import type { Output } from '../world.js'

export interface AddEndpointOptions {
  readonly events?: AddEndpointInput['events']
  readonly allEvents?: boolean
  readonly description?: string
  readonly header?: Record<string, string>
}

export async function addEndpoint(context: Context, url: string, options: AddEndpointOptions): Promise<Output> {
  const { description, header } = options
  const events = options.allEvents ? [...eventKinds] : options.events
  if (events === undefined) throw usageError('Which events? --events sav.created,sav.closed or --all-events.')
  const { sav, account_id } = await context.openAccount()
  const endpoint = await sav.webhooks.add(account_id, { url, events, description, headers: header })
  const text = fields(context.terminal, [
    ['Endpoint', endpoint.id],
    ['URL', endpoint.url],
    ['Events', endpoint.events.join(', ')],
    ['Headers', endpoint.headers.join(', ')],
    ['Secret', endpoint.secret],
  ])
  return { json: endpoint, text: `${text}\n\nThe secret is shown this once: give it to the receiver.` }
}

export async function listEndpoints(context: Context): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  const endpoints = await sav.webhooks.list(account_id)
  const rows = endpoints.map(({ id, url, events, disabled_at, disabled_reason }) => [
    id,
    disabled_at === null ? 'active' : `disabled: ${disabled_reason ?? disabled_at}`,
    events.length === eventKinds.length ? 'all' : events.join(','),
    url,
  ])
  return {
    json: endpoints,
    text: table(context.terminal, ['ID', 'STATE', 'EVENTS', 'URL'], rows, 'No endpoint yet: sav webhooks add URL'),
  }
}
