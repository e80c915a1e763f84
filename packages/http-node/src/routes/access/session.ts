import { inputs, shapes } from '@sav/core/adapter'
import * as z from 'zod'
import { whoCalls } from '../../callers/who.js'
import { ok } from '../declaration/answers.js'
import { readRoute, writeRoute } from '../declaration/declare.js'

const path = '/api/v1/session'

/** Operations for every caller: each role holds `sav:read` or `terrain`. */
export const sessionRoutes = [
  readRoute({
    path,
    name: 'getSession',
    summary: 'Read who the caller is',
    permission: 'sav:read',
    alsoTerrain: true,
    answers: ok(shapes.who, 'The person or the key, and the account.'),
    handle: ({ sav, holder, fonctions }) => whoCalls(sav, holder, fonctions),
  }),
  readRoute({
    path: `${path}/vues`,
    name: 'listViews',
    summary: 'List the caller’s saved views',
    description: 'A person has the same views in every browser. A key has its own views.',
    permission: 'sav:read',
    answers: ok(() => z.array(shapes.view()), 'The views, in the order in which they were saved.'),
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
    answers: ok(() => z.array(shapes.view()), 'The views as they are now.'),
    write: ({ writes, actor, holder, body }) => writes.views.put(actor, holder.id, body),
  }),
]
