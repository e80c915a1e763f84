import { json } from '../exchange.js'
import type { PublicRoute } from './route.js'

/** @param ready resolves when the service can work; rejects with UnavailableError otherwise */
export function healthRoutes(ready: () => Promise<void>): PublicRoute[] {
  const healthy = () => json(200, { success: true })
  return [
    { method: 'GET', pattern: '/healthz', permission: null, answer: async () => healthy() },
    { method: 'GET', pattern: '/readyz', permission: null, answer: () => ready().then(healthy) },
  ]
}
