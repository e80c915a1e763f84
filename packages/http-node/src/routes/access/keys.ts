import { NotFoundError } from '@sav/core'
import { inputs, shapes } from '@sav/core/adapter'
import * as z from 'zod'
import { created, ok } from '../declaration/answers.js'
import { readRoute, writeRoute } from '../declaration/declare.js'

const all = '/api/v1/cles'
const one = `${all}/{key}`

/** The account's keys. Only the answer to its creation contains the key itself. */
export const keyRoutes = [
  readRoute({
    path: all,
    name: 'listKeys',
    summary: 'List keys, newest first',
    permission: 'admin',
    answers: ok(() => z.array(shapes.key()), 'The keys, including revoked ones.'),
    handle: ({ sav, actor }) => sav.keys.list(actor.account_id),
  }),
  writeRoute({
    method: 'POST',
    path: all,
    name: 'createKey',
    summary: 'Create a key',
    description: 'The key expires in a year, unless `expire` sets another time.',
    permission: 'admin',
    body: inputs.createKey,
    example: { nom: 'Caisse', permissions: ['sav:read', 'sav:write'], ips: ['192.0.2.0/24'] },
    secret: true,
    answers: created(shapes.newKey, 'The new key, which is shown only this once.', all),
    write: ({ writes, actor, body }) => writes.keys.create(actor, body),
  }),
  readRoute({
    path: one,
    name: 'getKey',
    summary: 'Read a key',
    permission: 'admin',
    answers: ok(shapes.key, 'The key, without its secret.'),
    failures: ['not_found'],
    async handle({ sav, actor, params }) {
      const found = (await sav.keys.list(actor.account_id)).find(({ id }) => id === params.key)
      if (found === undefined) throw new NotFoundError('key', params.key)
      return found
    },
  }),
  writeRoute({
    method: 'DELETE',
    path: one,
    name: 'revokeKey',
    summary: 'Revoke a key',
    description: 'It is refused everywhere within a second.',
    permission: 'admin',
    answers: ok(shapes.key, 'It is revoked.'),
    failures: ['not_found'],
    write: ({ writes, actor, params }) => writes.keys.revoke(actor, params.key),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/renouveler`,
    name: 'rollKey',
    summary: 'Replace a key',
    description: 'The new key has the same permissions, addresses and lifetime. Both keys work during the overlap.',
    permission: 'admin',
    body: inputs.rollKey,
    bodyIsOptional: true,
    example: { chevauchement_secondes: 86_400 },
    secret: true,
    answers: ok(shapes.rolledKey, 'The new key, which is shown only this once.'),
    failures: ['not_found', 'conflict'],
    write: ({ writes, actor, params, body }) => writes.keys.roll(actor, params.key, body),
  }),
]
