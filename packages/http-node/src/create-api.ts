import type { Feature } from '@sav/core/feature'
import { apiOf } from './api/api.js'
import type { ApiDeps } from './api/api-deps.js'
import type { Api } from './http/exchange.js'
import { routes } from './routes/all.js'
import { contractRoutes } from './routes/contract.js'

const tellsContract = (route: object) => contractRoutes.some((each) => each === route)

/**
 * The API of the core and of `features`, without a server: adapters convert their requests to `ApiRequest` and write
 * the answers. `createApi<Context>` is for an adapter that gets your own context with each call, for `authenticate`.
 */
export const createApi = <Context = undefined, F extends Feature = never>({
  serves = () => true,
  ...deps
}: ApiDeps<Context, F>): Api<Context> =>
  apiOf<Context, F>(
    [...routes, ...(deps.features ?? []).flatMap((feature) => feature.routes)].filter(
      (route) => tellsContract(route) || serves(route),
    ),
    deps,
  )
