/** `length` cryptographically secure random bytes. */
export type Random = (length: number) => Uint8Array
