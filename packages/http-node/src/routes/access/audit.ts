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
      'A write appears as soon as its effect does, any other call within about a second. Calls without a key or a ' +
      'session appear only as totals, within a minute.',
    permission: 'admin',
    query: inputs.listAudit,
    answers: stretch(shapes.auditedCall, 'Calls, and the cursor of the next page.'),
    handle: ({ sav, actor, query }) => sav.audit.list(actor.account_id, query),
  }),
]
