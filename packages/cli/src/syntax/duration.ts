const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of `500ms`, `30s`, `2m`, `6h` or `365d`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? []
  const factor = unitMs[unit ?? '']
  return factor === undefined ? undefined : Number(amount) * factor
}
