/**
 * The path before the paths of the API: empty, or `/sav`.
 * @throws RangeError for another text
 */
export function basePathOf(text: string): string {
  const path = text.replace(/\/{1,9}$/, '')
  if (path !== '' && !/^(?:\/[A-Za-z0-9._~-]+)+$/.test(path))
    throw new RangeError(`basePath: ${text} must be a path such as /sav`)
  return path
}

/** The target without the first of `bases` with which it begins, or unchanged. */
export function withoutBase(target: string, bases: readonly string[]): string {
  const base = bases.find(
    (base) => base !== '' && target.startsWith(base) && /^(?:[/?#]|$)/.test(target.slice(base.length)),
  )
  if (base === undefined) return target
  const rest = target.slice(base.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
