/**
 * A day of rounds, as numbers alone. Instants are seconds from an origin that the caller chose once for all of them;
 * `fin` is exclusive, durations and travel are seconds, a `node` is an index into `travel`.
 */
export interface RoundProblem {
  readonly installers: readonly RoundInstaller[]
  readonly visits: readonly RoundVisit[]
  /** As `TravelTable` has it; the triangle inequality need not hold. */
  readonly travel: {
    readonly seconds: readonly (readonly number[])[]
    readonly meters: readonly (readonly number[])[]
  }
  /** Visits that may move begin at whole multiples of so many seconds: 60 for whole minutes, 1 for any second. */
  readonly step: number
}

/** An installer's day; `id` is the caller's own. */
export interface RoundInstaller {
  readonly id: number
  /** When he works: in order, disjoint, and what lies between them is a break. Hours bind visits; travel may lie outside. */
  readonly plages: readonly Span[]
  /** The `node` where his day begins; null: at the first visit. */
  readonly start: number | null
  /** The `node` where his day ends; null: at the last visit. */
  readonly end: number | null
  /** What he can do; null: all. */
  readonly competences: readonly string[] | null
}

/** From `debut` until before `fin`, in seconds from the origin of the problem. */
export interface Span {
  readonly debut: number
  readonly fin: number
}

/** A visit to be given to somebody; one that stands somewhere already may move, within its window. */
export interface RoundVisit {
  readonly id: number
  /** null: its place is unknown, and travel to and from it counts as none. */
  readonly node: number | null
  /** In seconds. */
  readonly duration: number
  /** What it asks for; null: nothing. */
  readonly competence: string | null
  /** The only one who may do it, by id; null: anybody who can. */
  readonly installer: number | null
  /** The first and the last second at which it may begin, both inclusive; null: whenever its installer works. */
  readonly fenetre: Span | null
  /**
   * A person has promised the window: it holds against working hours and breaks, and goes before visits without promise.
   * Where two promises of one second each follow each other, travel between them is not asked whether it fits.
   */
  readonly isPromised: boolean
  /** Whose it is now, by id, and from which second; null: nobody's yet. */
  readonly current: { readonly installer: number; readonly debut: number } | null
}

/** Why a visit is in nobody's round. */
export type UnservedReason =
  /** Nobody of these can do it, or its own installer is not among them. */
  | 'competence'
  /** Nobody who can do it works for long enough within its window. */
  | 'fenetre'
  /** It fits alone, but not beside the others. */
  | 'journee_pleine'

/** An answer to a `RoundProblem`: each visit is in one round, or unserved with the reason. */
export interface RoundPlan {
  /** One for each installer, in the order of the problem. */
  readonly rounds: readonly Round[]
  /** By the id of the `visit`. */
  readonly unserved: readonly { readonly visit: number; readonly reason: UnservedReason }[]
  /** Travel of the days as they stand now, by the present times of the visits, and as planned. */
  readonly before: Travel
  readonly after: Travel
  /** No better plan exists, by the three aims. */
  readonly isExact: boolean
  /** What a person should know: that the solver outside was away. */
  readonly avertissements: readonly string[]
}

/** Time and distance on the way, without the visits themselves. */
export interface Travel {
  readonly seconds: number
  readonly meters: number
}

/** One installer's day, the visits in their order; its travel leads from where the day begins to where it ends. */
export interface Round extends Travel {
  /** His id. */
  readonly installer: number
  readonly visits: readonly PlannedVisit[]
}

/** A `visit`, by its id, and when: from second `debut` until before `fin`, which is its `duration` later. */
export interface PlannedVisit {
  readonly visit: number
  readonly debut: number
  readonly fin: number
  /** Seconds of travel from the visit before, or from where the day begins. */
  readonly travel: number
}
