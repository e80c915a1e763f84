import type { Route } from '../routes/declaration/route.js'

type Declared = Pick<Route, 'method' | 'path' | 'name' | 'permission'>

/**
 * @throws TypeError for an operation that no caller could reach: its permission is not declared, or another operation
 * has the same method and path
 */
export function checkedRoutes<R extends Declared>(routes: readonly R[], permissions: readonly string[]): readonly R[] {
  const places = new Map<string, string>()
  for (const { method, path, name, permission } of routes) {
    const place = `${method} ${path}`
    const other = places.get(place)
    if (other !== undefined) throw new TypeError(`${place} is declared twice, by ${other} and ${name}.`)
    places.set(place, name)
    for (const needed of permission === null ? [] : [permission].flat())
      if (!permissions.includes(needed))
        throw new TypeError(
          `${name} needs ${needed}, which is not a declared permission. Declared: ${permissions.join(', ')}.`,
        )
  }
  return routes
}
