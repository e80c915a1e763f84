import { fieldApi } from '@sav/field/routes'
import type { FeatureRoutes } from '@sav/http-node/feature'
import { insightRoutes } from '@sav/insight/routes'
import { peopleApi } from '@sav/people/routes'
import { planningApi } from '@sav/planning/routes'
import type { AllFeatures } from './features.js'

/** The API operations of every feature. */
export const allRoutes: readonly FeatureRoutes<AllFeatures>[] = [peopleApi, planningApi, fieldApi, insightRoutes]
