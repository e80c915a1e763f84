export {
  type ClientClock,
  type ClientOptions,
  createClient,
  type FieldRefusal,
  SavApiError,
  type SavClient,
} from './client.js'
export type { Operations, RefusalCode } from './operations.gen.js'
