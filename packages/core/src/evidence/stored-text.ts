/** Whether bytes stand where a text should: SQLite lets them, and a hash takes both for the same. */
export const holdsBytes = (value: unknown): boolean =>
  value instanceof Uint8Array || (typeof value === 'object' && value !== null && Object.values(value).some(holdsBytes))
