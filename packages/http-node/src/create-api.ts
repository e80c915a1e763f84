import { apiOf } from './api/api.js'
import type { ApiDeps } from './api/api-deps.js'
import type { Api } from './http/exchange.js'
import { routes } from './routes/all.js'
import { contractRoutes } from './routes/contract.js'
import type { Route } from './routes/declaration/route.js'

const tellsContract = (route: Route) => contractRoutes.some((each) => each === route)

/** The whole API, free of any server: each door turns its requests into `ApiRequest` and writes what comes back. */
export const createApi = ({ serves = () => true, ...deps }: ApiDeps): Api =>
  apiOf(
    routes.filter((route) => tellsContract(route) || serves(route)),
    deps,
  )
