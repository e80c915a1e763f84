/** For declaring the operations of a feature. */

export type { FeatureRoutes } from './api/api-deps.js'
export type { Holder } from './callers/holder.js'
export { whoCalls } from './callers/who.js'
export { languageAsked, languageIn } from './http/accept.js'
export { cookieAttributes, cookieOf, phoneIs, sessionCookie, sessionIs } from './http/cookies.js'
export { versionsAccepted } from './http/etag.js'
export { type ApiRequest, type BodyBudget, json } from './http/exchange.js'
export { Refusal, refuseBeyond } from './http/failures.js'
export { readJson } from './http/json-body.js'
export type { Pieces } from './http/pieces.js'
export { photosOnTheWire } from './links.js'
export {
  type Answers,
  type Bytes,
  bytes,
  created,
  done,
  either,
  eventStream,
  made,
  missingPage,
  notYet,
  ok,
  orSignedOut,
  page,
  seeOther,
  stretch,
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
export type { SignIn, SignInCall, SignInDeps, SignInRoute } from './routes/declaration/sign-in.js'
export { fileHeaders, fileTypes, shown, shownReport, undrawn } from './routes/files/shown-files.js'
export { publicPages } from './routes/public-pages/public-page.js'
export { listening } from './routes/webhooks/events.js'
