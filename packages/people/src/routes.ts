import type { FeatureRoutes } from '@sav/http-node/feature'
import type { PeopleFeature } from './people.js'
import { deviceRoutes } from './routes/devices.js'
import { ownSessionRoutes } from './routes/own-session.js'
import { createSignIn } from './routes/sign-in.js'
import { userRoutes } from './routes/users.js'

/** The operations of this feature, for `createApi`, and the pages on which people sign in. */
export const peopleApi: FeatureRoutes<PeopleFeature> = {
  name: 'people',
  routes: [...ownSessionRoutes, ...userRoutes, ...deviceRoutes],
  signIn: createSignIn,
}
