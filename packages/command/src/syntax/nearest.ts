import { closest, distance } from 'fastest-levenshtein'

/** The one of `names` that was probably meant, because few letters differ; null if all differ too much. */
export function nearest(name: string, names: readonly string[]): string | null {
  if (names.length === 0) return null
  const likely = closest(name, names)
  return distance(name, likely) <= Math.min(4, Math.ceil(name.length / 3)) ? likely : null
}
