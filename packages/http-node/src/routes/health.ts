import { shapes } from '@sav/core/adapter'
import { done, ok } from './declaration/answers.js'
import { publicRoute } from './declaration/declare.js'

export const healthRoutes = [
  publicRoute({
    path: '/healthz',
    name: 'healthz',
    summary: 'Whether the process runs',
    answers: done('It runs.'),
    handle: async () => {},
  }),
  publicRoute({
    path: '/readyz',
    name: 'readyz',
    summary: 'Whether the service can work',
    answers: ok(shapes.readiness, 'It can work.'),
    failures: ['unavailable'],
    async handle({ ready, sav }) {
      await ready()
      return { ecart_horloge_ms: sav.clockDifferenceMs() }
    },
  }),
]
