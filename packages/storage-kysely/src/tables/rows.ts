/** Where what a type says is taken on trust, and what is done with any row. */

/** What a database driver returns, taken as what the query's type says it selects. */
export function asSelected<R>(rows: unknown[]): R[] {
  return rows as R[]
}

export function parsed<T>(json: string): T {
  return JSON.parse(json) as T
}

/** The keys of an object that has no others than its type says. */
export function keysOf<K extends string>(object: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(object) as K[]
}

/** `current` with what `changes` replaces. */
export function changed<T extends object>(
  current: T,
  changes: { readonly [field in keyof T]?: T[field] | undefined },
): T {
  const present = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...current, ...Object.fromEntries(present) }
}

/** Nothing but these fields. */
export function picked<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>
}
