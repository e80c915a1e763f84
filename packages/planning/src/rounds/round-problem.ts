import type { Note } from '../travel/notes.js'

/**
 * A day of rounds, only in numbers. Instants are seconds from one origin chosen by the caller. `fin` is exclusive,
 * durations and travel are seconds, a `node` is an index into `travel`.
 */
export interface RoundProblem {
  readonly installers: readonly RoundInstaller[]
  readonly visits: readonly RoundVisit[]
  /** Travel between the places, as in `TravelTable`. The triangle inequality need not hold. */
  readonly travel: {
    readonly seconds: readonly (readonly number[])[]
    readonly meters: readonly (readonly number[])[]
  }
  /** Moved visits begin at multiples of this many seconds: 60 for whole minutes, 1 for any second. */
  readonly step: number
}

/** An installer's day; `id` is the caller's own. */
export interface RoundInstaller {
  readonly id: number
  /** The working hours: in order, disjoint, with breaks between them. Visits must lie within them; travel need not. */
  readonly plages: readonly Span[]
  /** The `node` where the day begins; null: at the first visit. */
  readonly start: number | null
  /** The `node` where the day ends; null: at the last visit. */
  readonly end: number | null
  /** The skills; null: all. */
  readonly competences: readonly string[] | null
}

/** The time from `debut` until before `fin`, in seconds from the origin of the problem. */
export interface Span {
  readonly debut: number
  readonly fin: number
}

/** A visit to assign to an installer. One that already has a time may move, within its window. */
export interface RoundVisit {
  readonly id: number
  /** The `node` of the visit. Null: its place is unknown, and travel to and from it counts as zero. */
  readonly node: number | null
  /** The duration of the visit, in seconds. */
  readonly duration: number
  /** The skill that it needs; null: none. */
  readonly competence: string | null
  /** The only installer who may do it, by id; null: any who can. */
  readonly installer: number | null
  /** The first and the last second at which it may begin, both inclusive; null: whenever its installer works. */
  readonly fenetre: Span | null
  /**
   * The window is promised to a customer: it overrides working hours and breaks, and takes precedence over visits
   * without a promise. Between two promised visits whose windows are a single second each, travel is not checked.
   */
  readonly isPromised: boolean
  /** Its current installer, by id, and the second at which it begins; null: it has none yet. */
  readonly current: { readonly installer: number; readonly debut: number } | null
}

/** Why a visit is in no round. */
export type UnservedReason =
  /** None of these installers can do it, or its own installer is not among them. */
  | 'competence'
  /** No installer who can do it works long enough within its window. */
  | 'fenetre'
  /** It fits alone, but not together with the others. */
  | 'journee_pleine'

/** The answer to a `RoundProblem`: each visit is in one round, or unserved with the reason. */
export interface RoundPlan {
  /** A round for each installer, in the order of the problem. */
  readonly rounds: readonly Round[]
  /** The visits in no round, by `visit` id. */
  readonly unserved: readonly { readonly visit: number; readonly reason: UnservedReason }[]
  /** Travel of the current days, by the current times of the visits. */
  readonly before: Travel
  /** Travel of the planned days. */
  readonly after: Travel
  /** Whether no better plan exists, by the three aims. */
  readonly isExact: boolean
  /** Notes, for example that the external solver was unreachable. */
  readonly avertissements: readonly Note[]
}

/** Time and distance of travel, without the visits themselves. */
export interface Travel {
  readonly seconds: number
  readonly meters: number
}

/** One installer's day, with the visits in order. Its travel leads from the start of the day to its end. */
export interface Round extends Travel {
  /** The installer's id. */
  readonly installer: number
  readonly visits: readonly PlannedVisit[]
}

/** A `visit`, by id, with its time: from second `debut` until before `fin`, which is `duration` later. */
export interface PlannedVisit {
  readonly visit: number
  readonly debut: number
  readonly fin: number
  /** Seconds of travel from the previous visit, or from the start of the day. */
  readonly travel: number
}

/**
 * Plans rounds: here (`solveRounds`, in a thread), or by an external solver. A plan has three aims. The first is to
 * serve most visits, promised ones first. The second is the least travel. The third is an early end of the day, which
 * is the end of the last installer.
 */
export interface RoundSolver {
  /**
   * Never rejects because an external solver is unreachable or slow: another solver answers, with a note in
   * `avertissements`.
   * @param signal aborted when the plan is no longer needed: the call then rejects with the signal's reason, as soon as
   *   it can
   */
  solve(problem: RoundProblem, signal?: AbortSignal): Promise<RoundPlan>
}
