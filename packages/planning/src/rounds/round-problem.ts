import type { Note } from '../travel/notes.js'

/**
 * A day of rounds, in numbers alone. Instants are seconds from one origin that the caller chose for all of them. `fin`
 * is exclusive, durations and travel are seconds, a `node` is an index into `travel`.
 */
export interface RoundProblem {
  readonly installers: readonly RoundInstaller[]
  readonly visits: readonly RoundVisit[]
  /** As in `TravelTable`. The triangle inequality need not hold. */
  readonly travel: {
    readonly seconds: readonly (readonly number[])[]
    readonly meters: readonly (readonly number[])[]
  }
  /** Moved visits begin at whole multiples of so many seconds: 60 for whole minutes, 1 for any second. */
  readonly step: number
}

/** An installer's day; `id` is the caller's own. */
export interface RoundInstaller {
  readonly id: number
  /** The working hours: in order, disjoint, with breaks between them. Hours bind visits; travel may lie outside. */
  readonly plages: readonly Span[]
  /** The `node` where the day begins; null: at the first visit. */
  readonly start: number | null
  /** The `node` where the day ends; null: at the last visit. */
  readonly end: number | null
  /** The skills; null: all. */
  readonly competences: readonly string[] | null
}

/** A time from `debut` until before `fin`, in seconds from the origin of the problem. */
export interface Span {
  readonly debut: number
  readonly fin: number
}

/** A visit to be given to an installer. One that has a time already may move, within its window. */
export interface RoundVisit {
  readonly id: number
  /** Null: its place is unknown, and travel to and from it counts as none. */
  readonly node: number | null
  /** In seconds. */
  readonly duration: number
  /** The skill that it needs; null: none. */
  readonly competence: string | null
  /** The only installer who may do it, by id; null: any who can. */
  readonly installer: number | null
  /** The first and the last second at which it may begin, both inclusive; null: whenever its installer works. */
  readonly fenetre: Span | null
  /**
   * The window is promised to a customer: it overrides working hours and breaks, and goes before visits without a
   * promise. Between two promises of one second each, travel is not checked.
   */
  readonly isPromised: boolean
  /** Its installer now, by id, and the second at which it begins; null: it has none yet. */
  readonly current: { readonly installer: number; readonly debut: number } | null
}

/** Why a visit is in no round. */
export type UnservedReason =
  /** None of these installers can do it, or its own installer is not among them. */
  | 'competence'
  /** No installer who can do it works long enough within its window. */
  | 'fenetre'
  /** It fits alone, but not beside the others. */
  | 'journee_pleine'

/** An answer to a `RoundProblem`: each visit is in one round, or unserved with the reason. */
export interface RoundPlan {
  /** A round for each installer, in the order of the problem. */
  readonly rounds: readonly Round[]
  /** The visits in no round, by the id of the `visit`. */
  readonly unserved: readonly { readonly visit: number; readonly reason: UnservedReason }[]
  /** Travel of the days as they stand now, by the present times of the visits, and as planned. */
  readonly before: Travel
  readonly after: Travel
  /** Whether no better plan exists, by the three aims. */
  readonly isExact: boolean
  /** Notes, such as that the outside solver was unreachable. */
  readonly avertissements: readonly Note[]
}

/** Time and distance of travel, without the visits themselves. */
export interface Travel {
  readonly seconds: number
  readonly meters: number
}

/** One installer's day, with the visits in their order. Its travel leads from where the day begins to where it ends. */
export interface Round extends Travel {
  /** The installer's id. */
  readonly installer: number
  readonly visits: readonly PlannedVisit[]
}

/** A `visit`, by its id, with its time: from second `debut` until before `fin`, which is its `duration` later. */
export interface PlannedVisit {
  readonly visit: number
  readonly debut: number
  readonly fin: number
  /** Seconds of travel from the visit before, or from where the day begins. */
  readonly travel: number
}

/**
 * Plans rounds: here (`solveRounds`, in a thread of its own), or by an outside solver. Aims, in this
 * order: most visits served, promised ones first; least travel; an early end of the day, which is the last installer's.
 */
export interface RoundSolver {
  /**
   * Never rejects because an outside solver is unreachable or slow: another one answers, and `avertissements` says so.
   * @param signal aborted when the plan is no longer needed: it then rejects with that reason, as soon as it can
   */
  solve(problem: RoundProblem, signal?: AbortSignal): Promise<RoundPlan>
}
