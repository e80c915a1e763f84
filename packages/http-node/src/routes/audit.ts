import { listAuditInput } from '@sav/core'
import * as z from 'zod'
import { examples, instant, named } from '../contract/shapes.js'
import { stretch } from './answers.js'
import { readRoute } from './route.js'

const auditedCall = named(
  'AuditedCall',
  z.object({
    time: instant,
    ip: z.string().meta({ description: '`*` where the row stands for calls from several addresses.' }),
    method: z.string(),
    endpoint: z.string().meta({ description: 'The path as this contract has it; an unknown one as it was sent.' }),
    key_id: z.string().nullable(),
    user_id: z.string().nullable().meta({ description: 'Of a person who signed in.' }),
    status: z.int(),
    duration_ms: z.number().nonnegative(),
    request_id: z.string(),
    calls: z.int().min(2).optional().meta({
      description:
        'Where the row stands for more than one call, none of them with a key or a session: how many. The last is shown.',
    }),
  }),
  {
    time: examples.instant,
    ip: '192.0.2.7',
    method: 'POST',
    endpoint: '/api/v1/sav',
    key_id: examples.key,
    user_id: null,
    status: 201,
    duration_ms: 3,
    request_id: 'q9Xy2-1',
  },
)

/** Who called what, and when. */
export const auditRoutes = [
  readRoute({
    path: '/api/v1/audit',
    name: 'listAudit',
    summary: 'List the calls of the account, newest first',
    description:
      'A call that wrote something is there with its effect; any other within about a second, but those without a key or a ' +
      'session within a minute: these are counted.',
    permission: 'admin',
    query: listAuditInput,
    answers: stretch(auditedCall, 'Calls, and the cursor of what comes next.'),
    handle: ({ sav, actor, query }) => sav.audit.list(actor.account_id, query),
  }),
]
