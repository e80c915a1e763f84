/** What the page tells its worker. */
export type ToWorker =
  | { readonly is: 'update' }
  | { readonly is: 'key'; readonly profile: string; readonly key: CryptoKey }
  | { readonly is: 'forget'; readonly profile: string }

/** Of Background Sync. */
export const syncTag = 'sav-terrain'
/** Held by whoever sends, and by whoever signs in: of all pages and the worker one at a time. */
export const sendingLock = 'sav-terrain-sending'
