import { done } from './declaration/answers.js'
import { publicRoute } from './declaration/route.js'

export const healthRoutes = [
  publicRoute({
    path: '/healthz',
    name: 'healthz',
    summary: 'Whether the process lives',
    answers: done('It does.'),
    handle: async () => {},
  }),
  publicRoute({
    path: '/readyz',
    name: 'readyz',
    summary: 'Whether the service can work',
    answers: done('It can.'),
    failures: ['unavailable'],
    handle: ({ ready }) => ready(),
  }),
]
