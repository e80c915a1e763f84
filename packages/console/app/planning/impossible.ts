interface Stop {
  readonly debut: string
  readonly fin: string
  readonly trajet_avant_minutes: number
}

/** The minutes that are left between this visit of a round and the one before; null: the way there can be done in time. */
export function tooShort(visits: readonly Stop[], index: number): number | null {
  const [before, visit] = [visits[index - 1], visits[index]]
  if (before === undefined || visit === undefined) return null
  const left = Math.max(0, (Date.parse(visit.debut) - Date.parse(before.fin)) / 60_000)
  return visit.trajet_avant_minutes > left ? left : null
}

/** How many ways of these rounds cannot be done in time. */
export const impossibleIn = (tours: readonly { readonly visites: readonly Stop[] }[]): number =>
  tours.reduce((sum, { visites }) => sum + visites.filter((_, at) => tooShort(visites, at) !== null).length, 0)
