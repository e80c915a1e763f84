import { fieldFactRoutes } from '../../packages/field/src/routes/facts.js'
import { fieldRoutes } from '../../packages/field/src/routes/field-routes.js'
import { onSite } from '../../packages/field/src/routes/on-site.js'
import { routes as ofTheCore } from '../../packages/http-node/src/routes/all.js'
import { insightRoutes } from '../../packages/insight/src/routes.js'
import { deviceRoutes } from '../../packages/people/src/routes/devices.js'
import { ownSessionRoutes } from '../../packages/people/src/routes/own-session.js'
import { userRoutes } from '../../packages/people/src/routes/users.js'
import { calendarRoutes } from '../../packages/planning/src/routes/calendars.js'
import { followUpRoutes } from '../../packages/planning/src/routes/follow-ups.js'
import { planningRoutes } from '../../packages/planning/src/routes/planning.js'
import { rdvPageRoutes } from '../../packages/planning/src/routes/rdv-pages.js'
import { roundRoutes } from '../../packages/planning/src/routes/rounds.js'

/** Every operation: those of the core, and of every feature. */
export const routes = [
  ...ofTheCore,
  ...ownSessionRoutes,
  ...userRoutes,
  ...deviceRoutes,
  ...planningRoutes,
  ...roundRoutes,
  ...calendarRoutes,
  ...followUpRoutes,
  ...rdvPageRoutes,
  ...fieldRoutes,
  ...fieldFactRoutes,
  ...insightRoutes.routes,
]

/** Each of these operations replaces another one, for callers who lack the permission of that other one. */
export const alternatives = onSite

/** The operations that replace the given one for callers who lack its permission. */
export const standInsOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  alternatives.filter((each) => each.method === method && each.path === path)
