interface Time {
  readonly debut: string
  readonly fin: string
}

export interface FreeTime extends Time {
  readonly poseur: { readonly id: number; readonly nom: string }
  readonly trajet_ajoute_minutes: number
}

/**
 * The minimum gap between two visits that are moved to the same person together: the travel between them is unknown.
 */
const betweenMs = 30 * 60_000

const apart = (a: Time, b: Time) =>
  Date.parse(a.debut) - Date.parse(b.fin) >= betweenMs || Date.parse(b.debut) - Date.parse(a.fin) >= betweenMs

const far = (a: Time, b: Time) => Math.abs(Date.parse(a.debut) - Date.parse(b.debut))

/**
 * For each day and person, the free time with the least travel among those that are `apart` from the person's times in
 * `others`; the earliest day first.
 * @param dayOf the date of an instant @param others the times chosen for other visits
 */
export function waysFor<F extends FreeTime>(
  visit: Time,
  free: readonly F[],
  { others, dayOf }: { readonly others: readonly FreeTime[]; readonly dayOf: (instant: string) => string },
): F[] {
  const open = free
    .filter((each) => others.every((other) => other.poseur.id !== each.poseur.id || apart(other, each)))
    .toSorted((a, b) => a.trajet_ajoute_minutes - b.trajet_ajoute_minutes || far(a, visit) - far(b, visit))
  const best = Map.groupBy(open, ({ debut, poseur }) => `${dayOf(debut)} ${poseur.id}`)
  return [...best.values()]
    .flatMap(([first]) => first ?? [])
    .toSorted((a, b) => (dayOf(a.debut) < dayOf(b.debut) ? -1 : Number(dayOf(a.debut) > dayOf(b.debut))))
}
