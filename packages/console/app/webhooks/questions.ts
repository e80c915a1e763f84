import { type DeliveryFilter, type Endpoint, sav } from '../api/client.js'
import { question } from '../api/read.js'

export const allEndpoints = question(async (_: 'all', signal) => (await sav.get('/api/v1/webhooks', { signal })).data)

export const endpointById = question(
  async (endpoint: string, signal) =>
    (await sav.get('/api/v1/webhooks/{endpoint}', { params: { endpoint }, signal })).data,
)

export const someDeliveries = question((query: DeliveryFilter, signal) =>
  sav.get('/api/v1/webhooks/livraisons', { query, signal }),
)

export const deliveryById = question(
  async (delivery: string, signal) =>
    (await sav.get('/api/v1/webhooks/livraisons/{delivery}', { params: { delivery }, signal })).data,
)

/** A receiver's name in a list: its description, or else host and path. */
export function endpointName({ url, description }: Pick<Endpoint, 'url' | 'description'>): string {
  return description || url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}
