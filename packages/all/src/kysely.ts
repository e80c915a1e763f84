import { fieldTables } from '@sav/field/kysely'
import { insightTables } from '@sav/insight/kysely'
import { movingTables } from '@sav/moving/kysely'
import { planningTables } from '@sav/planning/kysely'

/** The rows of every feature. */
export const allTables = [planningTables, fieldTables, insightTables, movingTables] as const
