import { stores } from '../stores.js'

/** `npm run test:chaos` runs the long tests with their full counts; `npm test` runs a few rounds of each. */
export const isFullCount = process.env['SAV_TEST_CHAOS'] === '1'

/** Each kind of store; in `npm test` only `short`, for tests that do not depend on the kind. */
export const storesFor = (short: 'a SQLite file' | 'PostgreSQL') =>
  stores.filter(([name]) => isFullCount || name === short)
