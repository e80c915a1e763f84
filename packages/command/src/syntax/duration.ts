const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The units, each with its names in English and French, and its length in milliseconds. */
const units: readonly (readonly [names: RegExp, ms: number])[] = [
  [/^(ms|milliseconds?|millisecondes?)$/, 1],
  [/^(s|sec|secs|seconds?|secondes?)$/, second],
  [/^(m|min|mins|minutes?|mn)$/, minute],
  [/^(h|hr|hrs|hours?|heures?)$/, hour],
  [/^(d|days?|j|jours?)$/, day],
  [/^(w|weeks?|semaines?)$/, 7 * day],
  [/^(y|years?|an|ans|années?)$/, 365 * day],
]

/**
 * The milliseconds of a duration such as `500ms`, `30s`, `2 min`, `1h30`, `1,5 h`, `2 days` or `90 jours`; undefined
 * for anything else, including a number without a unit.
 */
export function parseDuration(text: string): number | undefined {
  const written = text
    .trim()
    .toLowerCase()
    .replace(/^(\d+) ?h ?(\d{1,2})$/, '$1h$2min')
  if (!/^(\d{1,9}([.,]\d{1,3})? *\p{L}+[ ,]*)+$/u.test(written)) return undefined
  let total = 0
  for (const [, amount = '', name = ''] of written.matchAll(/(\d{1,9}(?:[.,]\d{1,3})?) *(\p{L}+)/gu)) {
    const unit = units.find(([names]) => names.test(name))
    if (unit === undefined) return undefined
    total += Number(amount.replace(',', '.')) * unit[1]
  }
  return Number.isInteger(total) ? total : undefined
}
