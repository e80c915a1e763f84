import { createKeyInput, NotFoundError, permissions, rollKeyInput } from '@sav/core'
import * as z from 'zod'
import { examples, instant, named } from '../contract/shapes.js'
import { created, ok } from './answers.js'
import { readRoute, writeRoute } from './route.js'

const all = '/api/v1/cles'
const one = `${all}/{key}`

const fields = {
  id: z.string().meta({ description: '`key_…`' }),
  nom: z.string(),
  permissions: z.array(z.enum(permissions)),
  ips: z.array(z.string()).meta({ description: 'Whence it may be used; from anywhere when there are none.' }),
  created_at: instant,
  expires_at: instant,
  expires_soon: z.boolean().meta({ description: 'In use still, and not for more than 30 days.' }),
  revoked_at: instant.nullable(),
  last_used_at: instant.nullable().meta({ description: 'Known to the minute.' }),
}
const example = {
  id: examples.key,
  nom: 'Caisse',
  permissions: ['sav:read' as const, 'sav:write' as const],
  ips: ['192.0.2.0/24'],
  created_at: examples.instant,
  expires_at: '2027-01-15T10:30:00.000Z',
  expires_soon: false,
  revoked_at: null,
  last_used_at: null,
}
const text = z.string().meta({ description: '`sav_live_…`: in this answer, and in no other.' })
const textExample = `sav_live_${'0'.repeat(49)}`

const key = named('Key', z.object(fields), example)
const newKey = named('NewKey', z.object({ ...fields, key: text }), { ...example, key: textExample })
const rolledKey = named(
  'RolledKey',
  z.object({ ...fields, key: text, previous_expires_at: instant.meta({ description: 'When the old key ends.' }) }),
  { ...example, key: textExample, previous_expires_at: examples.instant },
)

/** The account's keys. A key itself is in the answer that made it, and in no other. */
export const keyRoutes = [
  readRoute({
    path: all,
    name: 'listKeys',
    summary: 'List keys, newest first',
    permission: 'admin',
    answers: ok(z.array(key), 'The keys, revoked ones too.'),
    handle: ({ sav, actor }) => sav.keys.list(actor.account_id),
  }),
  writeRoute({
    method: 'POST',
    path: all,
    name: 'createKey',
    summary: 'Create a key',
    description: 'It ends in a year, unless `expire` says otherwise.',
    permission: 'admin',
    body: createKeyInput,
    example: { nom: 'Caisse', permissions: ['sav:read', 'sav:write'], ips: ['192.0.2.0/24'] },
    secret: true,
    answers: created(newKey, 'The key is there; this is the only time that it is shown.', all),
    write: ({ writes, actor, body }) => writes.keys.create(actor, body),
  }),
  readRoute({
    path: one,
    name: 'getKey',
    summary: 'Read what is known of a key',
    permission: 'admin',
    answers: ok(key, 'The key, without itself.'),
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
    description: 'Refused everywhere within a second.',
    permission: 'admin',
    answers: ok(key, 'It is revoked.'),
    failures: ['not_found'],
    write: ({ writes, actor, params }) => writes.keys.revoke(actor, params.key),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/renouveler`,
    name: 'rollKey',
    summary: 'Replace a key by a new one',
    description: 'With the same permissions, addresses and lifetime; for a while both work.',
    permission: 'admin',
    body: rollKeyInput,
    bodyIsOptional: true,
    example: { chevauchement_secondes: 86_400 },
    secret: true,
    answers: ok(rolledKey, 'The new key; this is the only time that it is shown.'),
    failures: ['not_found', 'conflict'],
    write: ({ writes, actor, params, body }) => writes.keys.roll(actor, params.key, body),
  }),
]
