import type { RoundProblem } from '../../rounds/round-problem.js'

/** An installer's day. */
export type RoundInstaller = RoundProblem['installers'][number]
export type RoundVisit = RoundProblem['visits'][number]
/** The time from `debut` until before `fin`, in seconds from the origin of the problem. */
export type Span = RoundInstaller['plages'][number]
