/**
 * The permissions of keys and roles. `directory` is clients and poseurs. `terrain` is an installer's own visits alone.
 * `admin` holds all of them, and what none of them names. See `isAllowed` for permissions that hold others.
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

/** A permission that is a part of another one: the other one allows it as well, and a refusal names the other one. */
const partOf = new Map<Permission, Permission>([['sav:close', 'sav:write']])

/** The permission that a refusal names as missing. */
export const namedAs = (needed: Permission): Permission => partOf.get(needed) ?? needed

/** The permissions that the address of a calendar needs: when it is made, and as long as it works. */
export const calendarPermissions: readonly Permission[] = ['planning:read', 'directory:read']

/** The first of `needed` that `held` does not allow; undefined if it allows all of them. */
export const firstMissing = (held: readonly Permission[], needed: readonly Permission[]): Permission | undefined =>
  needed.find((each) => !isAllowed(held, each))

/** `admin` holds everything, `sav:write` holds `sav:close`; apart from that, write does not imply read. */
export function isAllowed(held: readonly Permission[], needed: Permission): boolean {
  return held.includes(needed) || held.includes(namedAs(needed)) || held.includes('admin')
}
