import type { FeatureRoutes } from '@sav/http-node/feature'
import type { Insight } from './insight.js'
import { searchRoutes } from './search/routes.js'
import { statisticsRoutes } from './statistics/routes.js'

/** The operations of this feature, for `createApi`. */
export const insightRoutes = {
  name: 'insight',
  routes: [...searchRoutes, ...statisticsRoutes],
} satisfies FeatureRoutes<Insight>
