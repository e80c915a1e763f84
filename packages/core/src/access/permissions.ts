export const permissions = [
  'sav:read',
  'sav:write',
  'directory:read',
  'directory:write',
  'planning:read',
  'planning:write',
  'webhooks:read',
  'webhooks:write',
  'admin',
] as const

export type Permission = (typeof permissions)[number]

/** `admin` holds everything; apart from that, write does not imply read. */
export function isAllowed(held: readonly Permission[], needed: Permission): boolean {
  return held.includes(needed) || held.includes('admin')
}
