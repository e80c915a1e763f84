import { inputs, shapes } from '@sav/core/adapter'
import * as z from 'zod'
import { whoCalls } from '../../callers/who.js'
import { ok } from '../declaration/answers.js'
import { readRoute, writeRoute } from '../declaration/declare.js'

const path = '/api/v1/session'

/** Callers, about themselves. Every role is allowed: each holds `sav:read` or `terrain`. */
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
  readRoute({
    path: `${path}/vues`,
    name: 'listViews',
    summary: 'List the caller’s saved views',
    description: 'They are kept with the person, and so the same in every browser; a key has views of its own.',
    permission: 'sav:read',
    answers: ok(() => z.array(shapes.view()), 'In the order in which they were put.'),
    handle: ({ sav, actor, holder }) => sav.views.list(actor.account_id, holder.id),
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
    write: ({ writes, actor, holder, body }) => writes.views.put(actor, holder.id, body),
  }),
]
