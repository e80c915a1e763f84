import { conflict, permissions, roles } from '@sav/core'
import * as z from 'zod'
import { examples, instant, named, number } from '../contract/shapes.js'
import { whoCalls } from '../sign-in/who.js'
import { done, ok, orSignedOut } from './answers.js'
import { readRoute, withResult, writeRoute } from './route.js'

const path = '/api/v1/session'

const passkey = z.object({
  id: z.string().meta({ description: '`psk_…`' }),
  nom: z.string(),
  date_creation: instant,
  derniere_utilisation: instant.nullable(),
})

const who = named(
  'WhoCalls',
  z.object({
    utilisateur: z
      .object({
        id: z.string(),
        nom: z.string(),
        email: z.string(),
        role: z.enum(roles),
        poseur_id: number.nullable(),
        passkeys: z.array(passkey),
      })
      .nullable()
      .meta({ description: 'The person who signed in; null for a key.' }),
    cle: z.object({ id: z.string(), nom: z.string() }).nullable().meta({ description: 'The key; null for a person.' }),
    permissions: z.array(z.enum(permissions)),
    compte: z.object({
      id: z.string(),
      raison_sociale: z.string().nullable(),
      fuseau: z.string().meta({ description: 'IANA name of the zone whose local time the account goes by.' }),
    }),
    expire_a: instant
      .nullable()
      .meta({ description: 'When the key or the session ends, if nothing ends it before; null: only its host knows.' }),
  }),
  {
    utilisateur: {
      id: examples.user,
      nom: 'Claire Petit',
      email: 'claire@cuisines-petit.example',
      role: 'atelier',
      poseur_id: null,
      passkeys: [
        { id: examples.passkey, nom: 'Téléphone', date_creation: examples.instant, derniere_utilisation: null },
      ],
    },
    cle: null,
    permissions: ['sav:read', 'sav:close', 'directory:read', 'planning:read', 'planning:write'],
    compte: { id: 'default', raison_sociale: 'Cuisines Petit', fuseau: 'Europe/Paris' },
    expire_a: '2026-01-15T22:30:00.000Z',
  },
)

/** Whoever calls, about themselves. Every role may: each holds `sav:read`. */
export const sessionRoutes = [
  readRoute({
    path,
    name: 'getSession',
    summary: 'Tell who calls, and what for',
    permission: 'sav:read',
    answers: ok(who, 'The person or the key, and the account.'),
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
