/** A part that a feature shares with those that build on it: created by `PartToken.share`. */
export interface SharedPart {
  /** The feature that shares it. */
  readonly feature: string
}

/** Names a part that a feature shares. */
export interface PartToken<T> {
  /** The part, for `shares`. */
  share(value: T): SharedPart
  /** The part among the shared ones. @throws Error if it is missing */
  in(shared: readonly SharedPart[]): T
}

/** The token of a part, to be kept in a constant. */
export function partToken<T>(feature: string): PartToken<T> {
  const values = new WeakMap<SharedPart, { readonly value: T }>()
  return {
    share(value) {
      const part = { feature }
      values.set(part, { value })
      return part
    },
    in(shared) {
      for (const part of shared) {
        const found = values.get(part)
        if (found !== undefined) return found.value
      }
      throw new Error(`A feature needs ${feature}: put ${feature}() before it in \`features\`.`)
    },
  }
}
