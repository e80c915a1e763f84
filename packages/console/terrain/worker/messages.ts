/** Messages from the page to its worker. */
export type ToWorker =
  | { readonly is: 'update' }
  | { readonly is: 'key'; readonly profile: string; readonly key: CryptoKey }
  | { readonly is: 'forget'; readonly profile: string }

/** The tag of Background Sync. */
export const syncTag = 'sav-terrain'
/** The lock for sending and signing in, shared by all pages and the worker. */
export const sendingLock = 'sav-terrain-sending'
