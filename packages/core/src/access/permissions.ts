/**
 * What a key may be allowed, and a role allows. `directory` is clients and poseurs; `terrain` is an installer's own visits,
 * and nothing of anybody else's; `admin` holds all of them and what none of them names; see `isAllowed` for what else
 * holds what.
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

/** What a route asks for, and a key or a role holds. */
export type Permission = (typeof permissions)[number]

/** A part of another permission, which allows it as well, and which a refusal names. */
const partOf = new Map<Permission, Permission>([['sav:close', 'sav:write']])

/** What a refusal says is missing. */
export const namedAs = (needed: Permission): Permission => partOf.get(needed) ?? needed

/** What the address of a calendar needs: of who makes it, and for as long as it leads anywhere. */
export const calendarPermissions: readonly Permission[] = ['planning:read', 'directory:read']

/** The first of `needed` that `held` does not allow; undefined where it allows all of them. */
export const firstMissing = (held: readonly Permission[], needed: readonly Permission[]): Permission | undefined =>
  needed.find((each) => !isAllowed(held, each))

/** `admin` holds everything, `sav:write` holds `sav:close`; apart from that, write does not imply read. */
export function isAllowed(held: readonly Permission[], needed: Permission): boolean {
  return held.includes(needed) || held.includes(namedAs(needed)) || held.includes('admin')
}
