export {
  type ClientClock,
  type ClientOptions,
  createClient,
  type FieldRefusal,
  type Operations,
  SavApiError,
  type SavClient,
} from '@sav/client'
