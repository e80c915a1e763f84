import { allRoutes } from '../../packages/all/src/routes.js'
import { routes as ofTheCore } from '../../packages/http-node/src/routes/all.js'

/** Every operation: those of the core, and of every feature. */
export const routes = [...ofTheCore, ...allRoutes.flatMap((feature) => feature.routes)]
