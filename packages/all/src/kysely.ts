import { fieldTables } from '@sav/field/kysely'
import { insightTables } from '@sav/insight/kysely'
import { movingTables } from '@sav/moving/kysely'

/** The rows of every feature. */
export const allTables = [fieldTables, insightTables, movingTables] as const
