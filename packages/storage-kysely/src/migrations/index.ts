import type { Migration } from 'kysely/migration'
import type { Dialect } from '../dialect.js'
import { foundation } from './0001-foundation.js'
import { deliveryUpkeep } from './0002-delivery-upkeep.js'

/** Every migration by name, a static list that survives bundling. A shipped one is never edited, only added to. */
export const migrations = (dialect: Dialect): Record<string, Migration> => ({
  '0001-foundation': foundation(dialect),
  '0002-delivery-upkeep': deliveryUpkeep(dialect),
})
