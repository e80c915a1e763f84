/** What the operations of a feature are declared with. */

export type { FeatureRoutes } from './api/api-deps.js'
export { done, made, ok } from './routes/declaration/answers.js'
export { routesOf } from './routes/declaration/declare.js'
export type { OperationTypes, PublicRoute, ReadRoute, RouteSav, WriteRoute } from './routes/declaration/route.js'
