import { conflict, shapes } from '@sav/core/internal'
import { whoCalls } from '../callers/who.js'
import { done, ok, orSignedOut } from './answers.js'
import { readRoute, withResult, writeRoute } from './route.js'

const path = '/api/v1/session'

/** Whoever calls, about themselves. Every role may: each holds `sav:read`. */
export const sessionRoutes = [
  readRoute({
    path,
    name: 'getSession',
    summary: 'Tell who calls, and what for',
    permission: 'sav:read',
    answers: ok(shapes.who, 'The person or the key, and the account.'),
    handle: ({ sav, holder }) => whoCalls(sav, holder),
  }),
  writeRoute({
    method: 'DELETE',
    path,
    name: 'signOut',
    summary: 'Sign out here',
    description: 'A key has no session: it is answered by 409.',
    permission: 'sav:read',
    answers: orSignedOut(done('It has ended.')),
    failures: ['conflict'],
    write({ writes, actor, holder }) {
      if (holder.session === null) throw conflict('key_cannot_sign_out')
      const ending = writes.sessions.end(actor, holder.id, holder.session.id)
      return withResult(ending, (result) => ({ result, isOwn: true }))
    },
  }),
  writeRoute({
    method: 'DELETE',
    path: `${path}/passkeys/{passkey}`,
    name: 'removePasskey',
    summary: 'Forget one of one’s own passkeys',
    permission: 'sav:read',
    answers: done('It is forgotten.'),
    failures: ['not_found'],
    write: ({ writes, actor, holder, params }) => writes.sessions.removePasskey(actor, holder.id, params.passkey),
  }),
]
