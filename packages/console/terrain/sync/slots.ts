/** The first free time of each half-day, in order: four times within one morning are no real choice for a customer. */
export function onePerHalfDay<S extends { readonly debut: string }>(
  slots: readonly S[],
  wallOf: (instant: string) => string,
): S[] {
  const seen = new Set<string>()
  return slots.filter(({ debut }) => {
    const [date = '', time = ''] = wallOf(debut).split(' ')
    const half = `${date} ${time < '12' ? 'morning' : 'afternoon'}`
    return !seen.has(half) && seen.add(half)
  })
}
