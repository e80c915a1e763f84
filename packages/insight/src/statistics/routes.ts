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
      'By type, by installer and by month, for the local days `du` to `au`, at most five years. Default: the twelve ' +
      'months up to today. `ouverts` counts the cases that are open now.',
    permission: ['sav:read', 'planning:read'],
    query: statisticsInput,
    answers: ok(statisticsShape, 'The numbers.'),
    handle: ({ sav, actor, query }) => sav.statistics(actor.account_id, query),
  }),
]
