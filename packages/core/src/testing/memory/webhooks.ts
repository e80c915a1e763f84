import type { EndpointRecord } from '../../webhooks/endpoint.js'
import type { EndpointWrites } from '../../webhooks/endpoint-store.js'
import { by, ownedBy } from './rows.js'
import type { Tables } from './tables.js'

const oldestFirst = by<EndpointRecord>(
  ({ created_at }) => created_at,
  ({ id }) => id,
)

export function memoryEndpoints(tables: Tables): EndpointWrites {
  const { endpoints } = tables
  const isPresent = ({ removed_at }: EndpointRecord) => removed_at === null
  const present = (endpoint: EndpointRecord | undefined) => (endpoint && isPresent(endpoint) ? endpoint : null)
  return {
    find: async (account_id, id) => present(ownedBy(account_id, endpoints.get(id))),
    async list(account_id) {
      return endpoints.where((row) => row.account_id === account_id && isPresent(row)).sort(oldestFirst)
    },
    ofTarget: async (target) => present(endpoints.get(target)),
    async add(endpoint) {
      endpoints.put(endpoint.id, endpoint)
    },
    async update(endpoint) {
      if (ownedBy(endpoint.account_id, endpoints.get(endpoint.id)) === undefined) return
      endpoints.put(endpoint.id, endpoint)
      tables.leavesDue = true
    },
    async every({ afterId, limit }) {
      const after = endpoints.where(({ id }) => id > afterId)
      return after.sort(by(({ id }) => id)).slice(0, limit)
    },
  }
}
