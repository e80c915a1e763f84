/**
 * The permissions of keys and roles. `directory` covers clients and poseurs, `terrain` only an installer's own visits.
 * `admin` includes all others, and what needs no other permission. See `isAllowed` for permissions that include others.
 */
export const permissions = [
  'sav:read',
  'sav:write',
  'sav:close',
  'directory:read',
  'directory:write',
  'planning:read',
  'planning:write',
  'webhooks:read',
  'webhooks:write',
  'terrain',
  'admin',
] as const

/** A permission that a route needs, and that a key or a role holds. */
export type Permission = (typeof permissions)[number]

/** Permissions that are part of another one. The other one includes it, and refusals name the other one. */
const partOf = new Map<Permission, Permission>([['sav:close', 'sav:write']])

/** The permission that a refusal names as missing. */
export const namedAs = (needed: Permission): Permission => partOf.get(needed) ?? needed

/** The permissions needed to create a calendar address, and for as long as it works. */
export const calendarPermissions: readonly Permission[] = ['planning:read', 'directory:read']

/** The first of `needed` that `held` does not allow; undefined if it allows all. */
export const firstMissing = (held: readonly Permission[], needed: readonly Permission[]): Permission | undefined =>
  needed.find((each) => !isAllowed(held, each))

/** `admin` includes everything, and `sav:write` includes `sav:close`. Otherwise, write does not imply read. */
export function isAllowed(held: readonly Permission[], needed: Permission): boolean {
  return held.includes(needed) || held.includes(namedAs(needed)) || held.includes('admin')
}
