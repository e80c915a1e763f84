import { commandFeature } from '@sav/command/feature'
import { terrainPermission } from '@sav/core/names'
import type { FieldFeature } from './field.js'

/** The feature for `createCommand`. It does not depend on the settings. */
export const fieldCommand = commandFeature<FieldFeature>({
  name: 'field',
  permissions: terrainPermission,
  async load() {
    const [{ field }, { fieldTables }, { fieldApi }, { sentences }] = await Promise.all([
      import('./field.js'),
      import('./kysely.js'),
      import('./routes.js'),
      import('./refusals.js'),
    ])
    return { sentences, tables: fieldTables, routes: fieldApi, feature: () => field() }
  },
})
