import { ok, routesOf } from '@sav/http-node/feature'
import type { Insight } from '../insight.js'
import { foundShape, searchInput } from './search.js'

const { readRoute } = routesOf<Insight>()

export const searchRoutes = [
  readRoute({
    path: '/api/v1/recherche',
    name: 'search',
    summary: 'Find cases, clients and appointments',
    description:
      'Finds what contains every word of `q`, in any form and spelling, like `recherche` in lists. Newest first; a ' +
      'case whose number is in `q` comes before all others. `clients` is empty without `directory:read`, and `rdv` ' +
      'without `planning:read`. Without `directory:read` only the name and the town of a client are searched.',
    permission: 'sav:read',
    query: searchInput,
    answers: ok(foundShape, 'The results of each kind.'),
    handle: ({ sav, actor, query, may }) =>
      sav.search(actor.account_id, query, { clients: may('directory:read'), rdv: may('planning:read') }),
  }),
]
