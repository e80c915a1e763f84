import { stores } from '../stores.js'

/** `npm run test:chaos` runs the long proofs with their full counts, `npm test` a few rounds of each. */
export const isFullCount = process.env['SAV_TEST_CHAOS'] === '1'

/** Each kind of store; in `npm test` only one, because the proof does not depend on it. */
export const storesFor = (short: 'a SQLite file' | 'PostgreSQL') =>
  stores.filter(([name]) => isFullCount || name === short)
