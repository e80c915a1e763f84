export {
  type ClientClock,
  type ClientOptions,
  type ClientRequest,
  type ClientResponse,
  type ClientRetry,
  createClient,
  type FieldRefusal,
  SavApiError,
  type SavClient,
} from './client.js'
export type { Operations, RefusalCode } from './operations.gen.js'
