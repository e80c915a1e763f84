import { done, ok, orSignedOut, routesOf, withResult } from '@sav/http-node/feature'
import * as z from 'zod'
import type { PeopleFeature } from '../people.js'
import { conflict } from '../refusals.js'
import { sessionShape } from '../sessions/session.js'

const { readRoute, writeRoute } = routesOf<PeopleFeature>()

const path = '/api/v1/session'

/** The caller's own session and passkeys. */
export const ownSessionRoutes = [
  writeRoute({
    method: 'DELETE',
    path,
    name: 'signOut',
    summary: 'Sign out here',
    description: 'A key has no session, and gets 409.',
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
  readRoute({
    path: `${path}/sessions`,
    name: 'listOwnSessions',
    summary: 'List where the caller is signed in, newest first',
    description: 'A key has no session, and gets 404.',
    permission: 'sav:read',
    answers: ok(() => z.array(sessionShape()), 'The sessions that have not ended, including this one.'),
    failures: ['not_found'],
    handle: ({ sav, actor, holder }) => sav.sessions.list(actor.account_id, holder.id),
  }),
  writeRoute({
    method: 'DELETE',
    path: `${path}/sessions/{session}`,
    name: 'endOwnSession',
    summary: 'Sign the caller out of one device',
    description: 'Takes effect within a second.',
    permission: 'sav:read',
    answers: orSignedOut(done('It has ended.')),
    failures: ['not_found'],
    write: ({ writes, actor, holder, params }) =>
      withResult(writes.sessions.end(actor, holder.id, params.session), (result) => ({
        result,
        isOwn: params.session === holder.session?.id,
      })),
  }),
  writeRoute({
    method: 'DELETE',
    path: `${path}/passkeys/{passkey}`,
    name: 'removePasskey',
    summary: 'Remove one of the caller’s passkeys',
    permission: 'sav:read',
    alsoTerrain: true,
    answers: done('It was removed.'),
    failures: ['not_found'],
    write: ({ writes, actor, holder, params }) => writes.sessions.removePasskey(actor, holder.id, params.passkey),
  }),
]
