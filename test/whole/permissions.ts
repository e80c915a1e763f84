import { allFeatures } from '../../packages/all/src/index.js'
import { permissionsOf } from '../../packages/core/src/access/permissions.js'
import type { EventDeclarations } from '../../packages/core/src/delivery/outbox.js'

/** Every permission: of the core, and of every feature. */
export const declaredPermissions = permissionsOf(allFeatures())

/** The kinds of events of all features. */
export const events: EventDeclarations = Object.assign({}, ...allFeatures().map((feature) => feature.events))

/** The names of all permissions. */
export const permissions = Object.keys(declaredPermissions)
