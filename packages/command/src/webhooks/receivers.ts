import { type DeliveryView, type EndpointView, NotFoundError } from '@sav/core'
import type { SavClient } from '@sav/http-node/client'
import { CommandError } from '../process/command-error.js'

/** The URLs of endpoints, by the endpoints' ids. */
export type Receivers = ReadonlyMap<string, string>

/** The endpoints of an account; null if the secret key is missing, without which the API does not list them. */
export async function endpointsOf(api: SavClient): Promise<readonly EndpointView[] | null> {
  return api.get('/api/v1/webhooks').then(
    ({ data }) => data,
    (error: unknown) => {
      if (error instanceof CommandError && error.code === 'wrong_secret_key') return null
      throw error
    },
  )
}

/** The URL of each endpoint by its id. Empty if the secret key is missing. */
export async function receiversOf(api: SavClient): Promise<Receivers> {
  return new Map((await endpointsOf(api))?.map(({ id, url }) => [id, url]))
}

/** The host of a delivery's receiver, for a list; if its endpoint is not known, the endpoint's id. */
export function hostOf(receivers: Receivers, { endpoint_id }: Pick<DeliveryView, 'endpoint_id'>): string {
  const url = receivers.get(endpoint_id)
  return url === undefined ? endpoint_id : new URL(url).host
}

/**
 * A removed endpoint is accepted, since its deliveries can still be listed.
 * @throws NotFoundError for an endpoint that neither exists nor has deliveries
 */
export async function refuseUnknownEndpoint(api: SavClient, id: string): Promise<void> {
  if ((await receiversOf(api)).has(id)) return
  const { data } = await api.get('/api/v1/webhooks/livraisons', { query: { endpoint_id: id, limite: 1 } })
  if (data.length === 0) throw new NotFoundError('endpoint', id)
}
