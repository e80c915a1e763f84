import type { PermissionDeclarations } from '@sav/core/feature'

/** The permission of phones in the field. */
export const fieldPermissions = {
  terrain: { allows: "an installer's own visits alone, on the phone", roles: ['poseur'] },
} as const satisfies PermissionDeclarations
