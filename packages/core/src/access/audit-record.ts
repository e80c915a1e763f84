import * as z from 'zod'
import { examples, instant, named, type Shape } from '../values/shape.js'

export const auditedCallShape = named(
  'AuditedCall',
  () =>
    z.object({
      time: instant(),
      ip: z.string().describe('`*` if the row counts calls from several addresses.'),
      method: z.string(),
      endpoint: z
        .string()
        .describe('The path as this API description writes it. In other paths, unknown segments are replaced by `…`.'),
      key_id: z.string().nullable(),
      user_id: z.string().nullable().describe('The id of the user who signed in.'),
      target: z
        .string()
        .nullable()
        .describe('The target of the call: `client:13`, `case:19`, `key:key_…`. Null when it has none.'),
      nom: z
        .string()
        .nullable()
        .optional()
        .describe(
          'With `noms`: the current name of the target, if any (the client of an appointment or follow-up, the case of a file).',
        ),
      status: z.int().describe('HTTP status.'),
      duration_ms: z.number().nonnegative().describe('How many milliseconds the answer took.'),
      request_id: z.string(),
      calls: z
        .int()
        .min(2)
        .optional()
        .describe(
          'How many calls this row counts, if several without a key or session. Its other fields are of the last one.',
        ),
    }),
  {
    time: examples.instant,
    ip: '192.0.2.7',
    method: 'POST',
    endpoint: '/api/v1/sav',
    key_id: examples.key,
    user_id: null,
    target: 'case:19',
    status: 201,
    duration_ms: 3,
    request_id: 'q9Xy2-1',
  },
)
/** A call as the audit shows it. */
export type AuditView = Shape<typeof auditedCallShape>

/** One call of the API, as it is kept for audit. It has no secrets and no bodies. */
export interface AuditRecord extends Omit<AuditView, 'calls' | 'nom'> {
  /** `aud_…`, time-ordered. */
  readonly id: string
  /** Null if the call had neither a known key nor a known session. */
  readonly account_id: string | null
  /**
   * The number of calls that this row stands for: 1, or more if calls are counted together. The other fields are those
   * of the last call.
   */
  readonly calls: number
}
