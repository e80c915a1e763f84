import canonicalize from 'canonicalize'

/** RFC 8785, without members that are null. */
export function canonicalJson(value: Record<string, unknown>): string {
  const text = canonicalize(
    JSON.parse(JSON.stringify(value, (_, member: unknown) => (member === null ? undefined : member))),
  )
  if (text === undefined) throw new TypeError('a value without a JSON form cannot be evidence')
  return text
}

/** Whether a value is bytes instead of text: SQLite allows that, and a hash does not distinguish them. */
export const holdsBytes = (value: unknown): boolean =>
  value instanceof Uint8Array || (typeof value === 'object' && value !== null && Object.values(value).some(holdsBytes))
