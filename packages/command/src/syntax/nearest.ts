import { closest, distance } from 'fastest-levenshtein'

/** Which of `names` was probably meant: few letters differ, as typing errors do. Null: none of them. */
export function nearest(name: string, names: readonly string[]): string | null {
  if (names.length === 0) return null
  const likely = closest(name, names)
  return distance(name, likely) <= Math.min(4, Math.ceil(name.length / 3)) ? likely : null
}
