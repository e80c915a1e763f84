import { addPoseurInput, pageInput, updatePoseurInput } from '@sav/core'
import * as z from 'zod'
import { lieu, named, number } from '../contract/shapes.js'
import { created, ok, page } from './answers.js'
import { readRoute, writeRoute } from './route.js'

const all = '/api/v1/poseurs'
const one = `${all}/{id}`

const poseur = named(
  'Poseur',
  z.object({
    id: number,
    nom: z.string(),
    actif: z.boolean(),
    email: z.string().nullable(),
    couleur: z.string().nullable().meta({ description: 'In which the planning draws it: `#rrggbb`.' }),
    lieu: lieu.nullable().meta({ description: 'Where the day begins, and ends unless `lieu_retour` says where.' }),
    lieu_retour: lieu.nullable(),
  }),
  { id: 3, nom: 'Bruno Petit', actif: true, email: null, couleur: '#2f7d5b', lieu: null, lieu_retour: null },
)

export const poseurRoutes = [
  readRoute({
    path: all,
    name: 'listPoseurs',
    summary: 'List installers',
    permission: 'directory:read',
    query: pageInput,
    answers: page(poseur, 'The installers of one page.'),
    handle: ({ sav, actor, query }) => sav.directory.poseurs.list(actor.account_id, query),
  }),
  writeRoute({
    method: 'POST',
    path: all,
    name: 'addPoseur',
    summary: 'Add an installer',
    permission: 'directory:write',
    body: addPoseurInput,
    example: { nom: 'Bruno Petit' },
    answers: created(poseur, 'The installer is there.', all),
    write: ({ writes, actor, body }) => writes.poseurs.add(actor, body),
  }),
  readRoute({
    path: one,
    name: 'getPoseur',
    summary: 'Read an installer',
    permission: 'directory:read',
    answers: ok(poseur, 'The installer.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.directory.poseurs.get(actor.account_id, params.id),
  }),
  writeRoute({
    method: 'PUT',
    path: one,
    name: 'updatePoseur',
    summary: 'Change an installer',
    permission: 'directory:write',
    body: updatePoseurInput,
    example: { actif: false },
    answers: ok(poseur, 'The installer as it is now.'),
    failures: ['not_found', 'conflict'],
    write: ({ writes, actor, params, body }) => writes.poseurs.update(actor, params.id, body),
  }),
]
