import { inputs, shapes } from '@sav/core/adapter'
import { created, ok, page } from '../declaration/answers.js'
import { readRoute, writeRoute } from '../declaration/declare.js'

const all = '/api/v1/poseurs'
const one = `${all}/{id}`

export const poseurRoutes = [
  readRoute({
    path: all,
    name: 'listPoseurs',
    summary: 'List installers',
    permission: 'directory:read',
    query: inputs.listPoseurs,
    answers: page(shapes.poseur, 'The installers of one page.'),
    handle: ({ sav, actor, query }) => sav.directory.poseurs.list(actor.account_id, query),
  }),
  writeRoute({
    method: 'POST',
    path: all,
    name: 'addPoseur',
    summary: 'Add an installer',
    permission: 'directory:write',
    body: inputs.addPoseur,
    example: { nom: 'Bruno Petit' },
    answers: created(shapes.poseur, 'The new installer.', all),
    write: ({ writes, actor, body }) => writes.poseurs.add(actor, body),
  }),
  readRoute({
    path: one,
    name: 'getPoseur',
    summary: 'Read an installer',
    permission: 'directory:read',
    answers: ok(shapes.poseur, 'The installer.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.directory.poseurs.get(actor.account_id, params.id),
  }),
  writeRoute({
    method: 'PUT',
    path: one,
    name: 'updatePoseur',
    summary: 'Change an installer',
    permission: 'directory:write',
    body: inputs.updatePoseur,
    example: { actif: false },
    answers: ok(shapes.poseur, 'The installer as it is now.'),
    failures: ['not_found', 'conflict'],
    write: ({ writes, actor, params, body }) => writes.poseurs.update(actor, params.id, body),
  }),
]
