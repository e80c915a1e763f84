import { conflict, inputs, shapes } from '@sav/core/internal'
import * as z from 'zod'
import { whoCalls } from '../../callers/who.js'
import { done, ok, orSignedOut } from '../declaration/answers.js'
import { readRoute, withResult, writeRoute } from '../declaration/declare.js'

const path = '/api/v1/session'

/** Callers, about themselves. Every role may: each holds `sav:read` or `terrain`. */
export const sessionRoutes = [
  readRoute({
    path,
    name: 'getSession',
    summary: 'Tell who calls, and what for',
    permission: 'sav:read',
    alsoTerrain: true,
    answers: ok(shapes.who, 'The person or the key, and the account.'),
    handle: ({ sav, holder, fonctions }) => whoCalls(sav, holder, fonctions),
  }),
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
  readRoute({
    path: `${path}/vues`,
    name: 'listViews',
    summary: 'List the caller’s saved views',
    description: 'They are kept with the person, and so the same in every browser; a key has views of its own.',
    permission: 'sav:read',
    answers: ok(() => z.array(shapes.view()), 'In the order in which they were put.'),
    handle: ({ sav, actor, holder }) => sav.users.views(actor.account_id, holder.id),
  }),
  writeRoute({
    method: 'PUT',
    path: `${path}/vues`,
    name: 'putViews',
    summary: 'Replace the caller’s saved views',
    permission: 'sav:read',
    body: inputs.views,
    example: { vues: [{ nom: 'Urgents sans poseur', adresse: '/dossiers?priorite=urgente&poseur_id=aucun' }] },
    answers: ok(() => z.array(shapes.view()), 'They are kept.'),
    write: ({ writes, actor, holder, body }) => writes.users.putViews(actor, holder.id, body),
  }),
  writeRoute({
    method: 'DELETE',
    path: `${path}/passkeys/{passkey}`,
    name: 'removePasskey',
    summary: 'Forget one of one’s own passkeys',
    permission: 'sav:read',
    alsoTerrain: true,
    answers: done('It is forgotten.'),
    failures: ['not_found'],
    write: ({ writes, actor, holder, params }) => writes.sessions.removePasskey(actor, holder.id, params.passkey),
  }),
]
