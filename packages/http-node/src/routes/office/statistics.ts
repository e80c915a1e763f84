import { inputs, shapes } from '@sav/core/internal'
import { ok } from '../declaration/answers.js'
import { readRoute } from '../declaration/route.js'

export const statisticsRoutes = [
  readRoute({
    path: '/api/v1/statistiques',
    name: 'getStatistics',
    summary: 'Tell what was done in a period, and how long it took',
    description:
      'By type, installer and month, local days `du` to `au`: the twelve months up to today without them, five years at most. ' +
      '`ouverts` is of now.',
    permission: ['sav:read', 'planning:read'],
    query: inputs.statistics,
    answers: ok(shapes.statistics, 'The numbers.'),
    handle: ({ sav, actor, query }) => sav.statistics(actor.account_id, query),
  }),
]
