import canonicalize from 'canonicalize'

/** RFC 8785, without members that are null. */
export function canonicalJson(value: Record<string, unknown>): string {
  const text = canonicalize(
    JSON.parse(JSON.stringify(value, (_, member: unknown) => (member === null ? undefined : member))),
  )
  if (text === undefined) throw new TypeError('a value without a JSON form cannot be evidence')
  return text
}

/**
 * Whether a value is or contains bytes. SQLite can store bytes in a text column, and they have the same hash as the
 * text.
 */
export const holdsBytes = (value: unknown): boolean =>
  value instanceof Uint8Array || (typeof value === 'object' && value !== null && Object.values(value).some(holdsBytes))
