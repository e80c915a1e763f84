import type { FeatureRoutes } from '@sav/http-node/feature'
import type { FieldFeature } from './field.js'
import { fieldFactRoutes } from './routes/facts.js'
import { fieldRoutes } from './routes/field-routes.js'
import { onSite } from './routes/on-site.js'

/** The operations of this feature, for `createApi`. */
export const fieldApi: FeatureRoutes<FieldFeature> = {
  name: 'field',
  routes: [...fieldRoutes, ...fieldFactRoutes],
  alternatives: onSite,
}
