interface Stop {
  readonly debut: string
  readonly fin: string
  readonly trajet_avant_minutes: number
}

/** The minutes between the previous visit of a round and this one, if the travel takes longer; null if it does not. */
export function tooShort(visits: readonly Stop[], index: number): number | null {
  const [before, visit] = [visits[index - 1], visits[index]]
  if (before === undefined || visit === undefined) return null
  const left = Math.max(0, (Date.parse(visit.debut) - Date.parse(before.fin)) / 60_000)
  return visit.trajet_avant_minutes > left ? left : null
}

/** How many trips of these rounds take longer than the time between their visits. */
export const impossibleIn = (tours: readonly { readonly visites: readonly Stop[] }[]): number =>
  tours.reduce((sum, { visites }) => sum + visites.filter((_, at) => tooShort(visites, at) !== null).length, 0)
