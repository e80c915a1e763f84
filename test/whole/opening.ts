import { allFeatures } from '../../packages/all/src/index.js'
import { allTables } from '../../packages/all/src/kysely.js'
import type { SavDeps } from '../../packages/core/src/parts.js'
import { createUseCases as ofTheCore } from '../../packages/core/src/sav.js'
import type { PeopleOptions } from '../../packages/people/src/people.js'
import type { PlanningOptions } from '../../packages/planning/src/planning.js'
import {
  openPostgres as openCoreOnPostgres,
  type PostgresOptions,
  type PostgresSource,
} from '../../packages/storage-kysely/src/postgres.js'
import {
  openSqlite as openCoreOnSqlite,
  type SqliteOptions,
  type SqliteSource,
} from '../../packages/storage-kysely/src/sqlite.js'

/** Stores with the tables of every feature. */
const features = allTables

export const openSqlite = (source: SqliteSource, options: SqliteOptions = {}) =>
  openCoreOnSqlite(source, { features, ...options })

export const openPostgres = (source: PostgresSource, options: PostgresOptions = {}) =>
  openCoreOnPostgres(source, { features, ...options })

/** The use cases of a service with every feature. */
export const createUseCases = ({
  people = {},
  planning = {},
  ...deps
}: SavDeps & { readonly people?: PeopleOptions; readonly planning?: PlanningOptions }) =>
  ofTheCore({ features: allFeatures({ people, planning }), ...deps })

export type WholeSav = ReturnType<typeof createUseCases>
