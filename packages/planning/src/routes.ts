import type { FeatureRoutes } from '@sav/http-node/feature'
import type { PlanningFeature } from './planning.js'
import { calendarRoutes } from './routes/calendars.js'
import { followUpRoutes } from './routes/follow-ups.js'
import { planningRoutes } from './routes/planning.js'
import { rdvPageRoutes } from './routes/rdv-pages.js'
import { roundRoutes } from './routes/rounds.js'

/** The operations of this feature, for `createApi`. */
export const planningApi: FeatureRoutes<PlanningFeature> = {
  name: 'planning',
  routes: [...planningRoutes, ...roundRoutes, ...calendarRoutes, ...followUpRoutes, ...rdvPageRoutes],
}
