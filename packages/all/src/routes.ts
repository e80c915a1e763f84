import { insightRoutes } from '@sav/insight/routes'

/** The operations of every feature. */
export const allRoutes = [insightRoutes] as const
