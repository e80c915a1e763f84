import type { RoundPlan, RoundProblem } from '@sav/core/ports'

/** What the thread is asked for. */
export interface ThreadTask {
  readonly problem: RoundProblem
  readonly iterations: number
  readonly seed: number
  /** When it has to come to an end with what it has found. */
  readonly limitMs: number
}

export type ThreadAnswer = { readonly plan: RoundPlan } | { readonly error: string }
