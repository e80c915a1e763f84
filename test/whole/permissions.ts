import { allFeatures } from '../../packages/all/src/index.js'
import { permissionsOf } from '../../packages/core/src/access/permissions.js'

/** Every permission: of the core, and of every feature. */
export const declaredPermissions = permissionsOf(allFeatures())

/** The names of all permissions. */
export const permissions = Object.keys(declaredPermissions)
