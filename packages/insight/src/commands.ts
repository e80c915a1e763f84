import { commandFeature } from '@sav/command/feature'
import type { Insight } from './insight.js'

/** The feature for `createCommand`. It does not depend on the settings. */
export const insightCommand = commandFeature<Insight>({
  name: 'insight',
  async load() {
    const [{ insight }, { insightTables }, { insightRoutes }] = await Promise.all([
      import('./insight.js'),
      import('./kysely.js'),
      import('./routes.js'),
    ])
    return { tables: insightTables, routes: insightRoutes, feature: () => insight() }
  },
})
