import { inputs, shapes } from '@sav/core/adapter'
import { stretch } from '../declaration/answers.js'
import { readRoute } from '../declaration/declare.js'

/** The record of calls. */
export const auditRoutes = [
  readRoute({
    path: '/api/v1/audit',
    name: 'listAudit',
    summary: 'List the calls of the account, newest first',
    description:
      'A call that wrote something is there with its effect; any other within about a second, but those without a key or a ' +
      'session within a minute: these are counted.',
    permission: 'admin',
    query: inputs.listAudit,
    answers: stretch(shapes.auditedCall, 'Calls, and the cursor of what comes next.'),
    handle: ({ sav, actor, query }) => sav.audit.list(actor.account_id, query),
  }),
]
