import { insightTables } from '@sav/insight/kysely'

/** The rows of every feature. */
export const allTables = [insightTables] as const
