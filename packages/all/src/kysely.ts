import { fieldTables } from '@sav/field/kysely'
import { insightTables } from '@sav/insight/kysely'
import { movingTables } from '@sav/moving/kysely'
import { peopleTables } from '@sav/people/kysely'
import { planningTables } from '@sav/planning/kysely'

/** The tables of every feature. */
export const allTables = [peopleTables, planningTables, fieldTables, insightTables, movingTables] as const
