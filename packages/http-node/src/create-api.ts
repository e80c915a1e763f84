import { apiOf } from './api/api.js'
import type { ApiDeps } from './api/api-deps.js'
import type { Api } from './http/exchange.js'
import { routes } from './routes/all.js'

/** The whole API, free of any server: each door turns its requests into `ApiRequest` and writes what comes back. */
export const createApi = (deps: ApiDeps): Api => apiOf(routes, deps)
