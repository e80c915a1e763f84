import { inputs, shapes } from '@sav/core/adapter'
import { created, ok, page } from '../declaration/answers.js'
import { readRoute, writeRoute } from '../declaration/declare.js'

const all = '/api/v1/clients'
const one = `${all}/{id}`

export const clientRoutes = [
  readRoute({
    path: all,
    name: 'listClients',
    summary: 'List clients',
    permission: 'directory:read',
    query: inputs.listClients,
    answers: page(shapes.client, 'The clients of one page.'),
    handle: ({ sav, actor, query }) => sav.directory.clients.list(actor.account_id, query),
  }),
  writeRoute({
    method: 'POST',
    path: all,
    name: 'addClient',
    summary: 'Add a client',
    permission: 'directory:write',
    body: inputs.addClient,
    example: { nom: 'Durand', prenom: 'Alice', email: 'alice@example.com' },
    answers: created(shapes.client, 'The new client.', all),
    about: ({ id }) => ({ client_id: id }),
    write: ({ writes, actor, body }) => writes.clients.add(actor, body),
  }),
  readRoute({
    path: one,
    name: 'getClient',
    summary: 'Read a client',
    permission: 'directory:read',
    answers: ok(shapes.client, 'The client.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.directory.clients.get(actor.account_id, params.id),
  }),
  writeRoute({
    method: 'PUT',
    path: one,
    name: 'updateClient',
    summary: 'Change a client',
    description: 'An erased client cannot be changed.',
    permission: 'directory:write',
    body: inputs.updateClient,
    example: { telephone: '+33 6 12 34 56 78' },
    answers: ok(shapes.client, 'The client as it is now.'),
    failures: ['not_found', 'conflict'],
    write: ({ writes, actor, params, body }) => writes.clients.update(actor, params.id, body),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/effacer`,
    name: 'eraseClient',
    summary: 'Erase the personal data of a client',
    description:
      'Erases them in the directory and in every case. The chain of evidence stays, and records the erasure. ' +
      'An erasure cannot be undone.',
    permission: 'admin',
    answers: ok(shapes.client, 'The client without personal data.'),
    failures: ['not_found'],
    write: ({ writes, actor, params }) => writes.clients.erase(actor, params.id),
  }),
]
