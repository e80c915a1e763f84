import * as z from 'zod'
import { lazily } from '../values/lazily.js'
import { count, examples, instant, named, type Shape } from '../values/shape.js'
import { deliveryStates } from '../values/vocabulary.js'

const matched = lazily(() => count('How many deliveries matched when the replay began.'))

export const replayPreviewShape = named('ReplayPreview', () => z.object({ matched: matched() }), { matched: 120 })
export const replayShape = named(
  'Replay',
  () =>
    z.object({
      id: z.string().describe('`rpl_…`'),
      state: z.enum(['running', 'done', 'cancelled']),
      filter: z.object({
        state: z.enum(deliveryStates),
        endpoint_id: z.string().nullable(),
        event: z.string().nullable(),
        since: instant().nullable(),
      }),
      matched: matched(),
      retried: count('How many of them have been reopened so far.'),
      created_at: instant(),
      ended_at: instant().nullable(),
    }),
  {
    id: examples.replay,
    state: 'running',
    filter: { state: 'failed', endpoint_id: null, event: null, since: null },
    matched: 120,
    retried: 40,
    created_at: examples.instant,
    ended_at: null,
  },
)
/** A replay as its account sees it, with its progress: `retried` of `matched`. */
export type ReplayView = Shape<typeof replayShape>

/** A durable order to attempt every matching delivery again. Any process may continue it. Ids are time-ordered. */
export interface ReplayJob extends Omit<ReplayView, 'filter'> {
  readonly account_id: string
  /** `letters` false: letters are left out. */
  readonly filter: ReplayView['filter'] & { readonly letters: boolean }
  /** The last delivery that was examined. The next ones follow it in the order of the history. */
  readonly position: { readonly created_at: string; readonly id: string }
}
