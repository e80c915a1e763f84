export {
  type ClientClock,
  type ClientOptions,
  createClient,
  type Operations,
  SavApiError,
  type SavClient,
} from '@sav/client'
