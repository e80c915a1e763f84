import type { PermissionDeclarations } from '@sav/core/feature'

/** The permissions of the planning. */
export const planningPermissions = {
  'planning:read': { allows: 'read the planning', roles: ['gestion', 'atelier', 'lecture'] },
  'planning:write': { allows: 'book, move and cancel appointments', roles: ['gestion', 'atelier'] },
} as const satisfies PermissionDeclarations
