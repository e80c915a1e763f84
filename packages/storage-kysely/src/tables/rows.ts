/** For rows of any table. The types of rows are asserted here, without a check at run time. */

/** The rows of a database driver, with the type of the query's selection. */
export function asSelected<R>(rows: unknown[]): R[] {
  return rows as R[]
}

export function parsed<T>(json: string): T {
  return JSON.parse(json) as T
}

/** The keys of an object that has exactly the keys of its type. */
export function keysOf<K extends string>(object: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(object) as K[]
}

/** `current` with the values of `changes`. */
export function changed<T extends object>(
  current: T,
  changes: { readonly [field in keyof T]?: T[field] | undefined },
): T {
  const present = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...current, ...Object.fromEntries(present) }
}

export function picked<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>
}
