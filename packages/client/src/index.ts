export { type ClientClock, type ClientOptions, createClient, SavApiError, type SavClient } from './client.js'
export type { Operations } from './operations.gen.js'
