/** Why a store is not copied, or not into another one. `store` is the one that has to be put right. */
export type CopyRefusal =
  /** A service answers on it, or a worker sends from it, or did a moment ago. */
  | { readonly reason: 'in_use'; readonly store: string }
  | { readonly reason: 'pending_migrations'; readonly store: string; readonly pending: readonly string[] }
  /** It is of a later release, which has these columns. */
  | { readonly reason: 'newer_schema'; readonly store: string; readonly columns: readonly string[] }
  /** It is the target of a copy that is not whole: of `of`, or null where that does not matter. */
  | { readonly reason: 'unfinished_copy'; readonly store: string; readonly of: string | null }
  | { readonly reason: 'not_empty'; readonly store: string; readonly table: string }
  /** Something wrote to one of them during the copy. */
  | {
      readonly reason: 'copy_differs'
      readonly store: string
      readonly table: string
      readonly source: { readonly name: string; readonly rows: number }
      readonly rows: number
    }

/** The copy was not begun, or is not to be used: the message says why. */
export class CopyRefusedError extends Error {
  override readonly name = 'CopyRefusedError'
  readonly refusal: CopyRefusal

  constructor(refusal: CopyRefusal) {
    super(`The store ${refusal.store} cannot be copied as it is: ${refusal.reason}.`)
    this.refusal = refusal
  }
}
