/** What the page tells its worker. */
export type ToWorker =
  | { readonly is: 'update' }
  | { readonly is: 'key'; readonly profile: string; readonly key: CryptoKey }
  | { readonly is: 'forget'; readonly profile: string }

/** The tag of Background Sync. */
export const syncTag = 'sav-terrain'
/** The lock for sending and for signing in: of all pages and the worker, one at a time holds it. */
export const sendingLock = 'sav-terrain-sending'
