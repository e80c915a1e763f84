import { done, orSignedOut, routesOf, withResult } from '@sav/http-node/feature'
import type { PeopleFeature } from '../people.js'
import { conflict } from '../refusals.js'

const { writeRoute } = routesOf<PeopleFeature>()

const path = '/api/v1/session'

/** The caller's own session and passkeys. */
export const ownSessionRoutes = [
  writeRoute({
    method: 'DELETE',
    path,
    name: 'signOut',
    summary: 'Sign out here',
    description: 'A key has no session: it is answered by 409.',
    permission: 'sav:read',
    alsoTerrain: true,
    answers: orSignedOut(done('It has ended.')),
    failures: ['conflict'],
    write({ writes, actor, holder }) {
      if (holder.session === null) throw conflict('key_cannot_sign_out')
      const ending = writes.sessions.signOut(actor, holder.id, holder.session.id)
      return withResult(ending, (result) => ({ result, isOwn: true }))
    },
  }),
  writeRoute({
    method: 'DELETE',
    path: `${path}/passkeys/{passkey}`,
    name: 'removePasskey',
    summary: 'Remove one of one’s own passkeys',
    permission: 'sav:read',
    alsoTerrain: true,
    answers: done('It is forgotten.'),
    failures: ['not_found'],
    write: ({ writes, actor, holder, params }) => writes.sessions.removePasskey(actor, holder.id, params.passkey),
  }),
]
