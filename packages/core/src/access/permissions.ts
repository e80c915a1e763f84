import type { Role } from '../values/vocabulary.js'

/** Permissions of keys and users, by name: what each allows, and the roles that have it. */
export type PermissionDeclarations = Readonly<
  Record<string, { readonly allows: string; readonly roles?: readonly Role[] }>
>

/**
 * The permissions of the core; features add their own. `directory` means clients and poseurs. Some permissions include
 * others: see `isAllowed`.
 */
export const corePermissions = {
  'sav:read': { allows: 'read cases, their photos and their evidence', roles: ['gestion', 'atelier', 'lecture'] },
  'sav:write': { allows: 'create, change, close and reopen cases', roles: ['gestion'] },
  'sav:close': { allows: 'close cases (sav:write includes this)', roles: ['atelier'] },
  'directory:read': { allows: 'read clients and installers', roles: ['gestion', 'atelier', 'lecture'] },
  'directory:write': { allows: 'add and change clients and installers', roles: ['gestion'] },
  'webhooks:read': { allows: 'read webhooks and their history', roles: ['gestion'] },
  'webhooks:write': { allows: 'add, change and remove webhooks, and retry deliveries' },
  admin: { allows: 'everything, including keys, the audit and users', roles: ['administration'] },
} as const satisfies PermissionDeclarations

/** The permission of installers. Two features declare it: `people` for their phones, `field` for what these report. */
export const terrainPermission = {
  terrain: { allows: "only an installer's own visits, on the phone", roles: ['poseur'] },
} as const satisfies PermissionDeclarations

/** Every permission of a service with these features. */
export function permissionsOf(
  features: readonly { readonly permissions?: PermissionDeclarations }[],
): PermissionDeclarations {
  const { admin, ...others } = corePermissions
  return Object.assign({}, others, ...features.map(({ permissions }) => permissions), { admin })
}

/** A permission of the core, or of a feature: routes require it, keys and roles have it. */
export type Permission = keyof typeof corePermissions | (string & Record<never, never>)

/** Permissions that another permission includes. A refusal names that other permission as missing. */
const partOf = new Map<Permission, Permission>([['sav:close', 'sav:write']])

/** The permission that a refusal names as missing. */
export const namedAs = (needed: Permission): Permission => partOf.get(needed) ?? needed

/** The first of `needed` that `held` does not allow; undefined if it allows all. */
export const firstMissing = (held: readonly Permission[], needed: readonly Permission[]): Permission | undefined =>
  needed.find((each) => !isAllowed(held, each))

/**
 * Whether `held` includes `needed`. `admin` includes everything, and `sav:write` includes `sav:close`. Otherwise, write
 * does not imply read.
 */
export function isAllowed(held: readonly Permission[], needed: Permission): boolean {
  return held.includes(needed) || held.includes(namedAs(needed)) || held.includes('admin')
}
