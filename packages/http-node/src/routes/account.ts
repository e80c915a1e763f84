import { type AccountView, accountInput, shapes } from '@sav/core'
import * as z from 'zod'
import { instant, named } from '../contract/shapes.js'
import { ok } from './answers.js'
import { readRoute, withResult, writeRoute } from './route.js'

const path = '/api/v1/compte'

const shown = ({ logo, created_at: _, ...view }: AccountView) => ({ ...view, logo: logo !== null })

const health = named(
  'DeliveryHealth',
  z.object({
    en_attente: z.int().nonnegative().meta({ description: 'Not final: due, under way, or to be attempted later.' }),
    dues: z
      .int()
      .nonnegative()
      .meta({ description: 'Whose time has come, and which nobody has taken: those to a disabled endpoint as well.' }),
    en_cours: z.int().nonnegative().meta({ description: 'Being attempted, or taken to be attempted next.' }),
    plus_ancienne: instant.nullable().meta({ description: 'When the oldest of those that wait was made.' }),
    par_seconde: z
      .number()
      .nonnegative()
      .meta({ description: 'A second, to the hundredth: those that were made and delivered in the last minute.' }),
    livrees_24h: z.int().nonnegative().meta({ description: 'Of those that were made in the last 24 hours.' }),
    echecs_24h: z.int().nonnegative(),
    canaux: z.array(z.string()).meta({
      description: 'By which the service delivers: `webhook`, and those that letters go by, `email` or `whatsapp`.',
    }),
    base: z
      .object({
        moteur: z.string().meta({ description: 'The kind of database.' }),
        schema: z.string().nullable().meta({ description: 'The last migration that ran.' }),
      })
      .nullable()
      .meta({ description: 'The store of the service; null: it does not say.' }),
  }),
  {
    en_attente: 3,
    dues: 0,
    en_cours: 1,
    plus_ancienne: '2026-01-15T10:29:58.000Z',
    par_seconde: 0.35,
    livrees_24h: 412,
    echecs_24h: 1,
    canaux: ['webhook', 'email'],
    base: { moteur: 'PostgreSQL', schema: '0021-traces' },
  },
)

/** What an account says of itself, and how it does. */
export const accountRoutes = [
  readRoute({
    path,
    name: 'getAccount',
    summary: 'Read the account',
    permission: 'sav:read',
    answers: ok(shapes.account, 'The account.'),
    handle: async ({ sav, actor }) => shown(await sav.accounts.get(actor.account_id)),
  }),
  writeRoute({
    method: 'PUT',
    path,
    name: 'updateAccount',
    summary: 'Change what the account says of itself',
    description: 'Replaces the fields that are given; a logo comes as a data URI, and goes with null.',
    permission: 'admin',
    body: accountInput,
    example: { raison_sociale: 'Cuisines Petit', siret: '12345678900011' },
    answers: ok(shapes.account, 'As it is now.'),
    write: ({ writes, actor, body }) => withResult(writes.accounts.update(actor, body), shown),
  }),
  readRoute({
    path: '/api/v1/sante',
    name: 'getHealth',
    summary: 'Tell how the deliveries of the account are, and what the service has',
    permission: 'webhooks:read',
    answers: ok(health, 'What waits, what became of the rest, and by what it goes.'),
    handle: ({ sav, actor }) => sav.webhooks.deliveries.health(actor.account_id),
  }),
]
