/** Whether a value is bytes in the place of a text: SQLite allows that, and a hash cannot tell them apart. */
export const holdsBytes = (value: unknown): boolean =>
  value instanceof Uint8Array || (typeof value === 'object' && value !== null && Object.values(value).some(holdsBytes))
