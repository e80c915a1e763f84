/** What the operations of a feature are declared with. */

export type { FeatureRoutes } from './api/api-deps.js'
export { cookieOf, phoneIs, sessionCookie } from './http/cookies.js'
export { type ApiRequest, json } from './http/exchange.js'
export { Refusal } from './http/failures.js'
export { photosOnTheWire } from './links.js'
export {
  type Answers,
  bytes,
  created,
  done,
  either,
  eventStream,
  made,
  notYet,
  ok,
} from './routes/declaration/answers.js'
export { routesOf, withResult } from './routes/declaration/declare.js'
export type {
  Caller,
  NoInput,
  OperationTypes,
  PublicRoute,
  ReadRoute,
  RouteSav,
  WriteRoute,
} from './routes/declaration/route.js'
export { fileHeaders, fileTypes, shown, shownReport, undrawn } from './routes/files/shown-files.js'
export { listening } from './routes/webhooks/events.js'
