import { ok, routesOf } from '@sav/http-node/feature'
import type { Insight } from '../insight.js'
import { statisticsInput, statisticsShape } from './statistics.js'

const { readRoute } = routesOf<Insight>()

export const statisticsRoutes = [
  readRoute({
    path: '/api/v1/statistiques',
    name: 'getStatistics',
    summary: 'Read the statistics of a period',
    description:
      'By type, installer and month, local days `du` to `au`: the twelve months up to today without them, five years at most. ' +
      '`ouverts` is the present number.',
    permission: ['sav:read', 'planning:read'],
    query: statisticsInput,
    answers: ok(statisticsShape, 'The numbers.'),
    handle: ({ sav, actor, query }) => sav.statistics(actor.account_id, query),
  }),
]
