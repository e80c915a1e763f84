import { type AccountView, accountInput, zonesFeries } from '@sav/core'
import * as z from 'zod'
import { instant, lieu, named } from '../contract/shapes.js'
import { ok } from './answers.js'
import { readRoute, withResult, writeRoute } from './route.js'

const path = '/api/v1/compte'

const account = named(
  'Account',
  z.object({
    id: z.string(),
    raison_sociale: z.string().nullable().meta({ description: 'Company name, as printed.' }),
    adresse: z.string().nullable(),
    siret: z.string().nullable(),
    email: z.string().nullable().meta({ description: 'Where notices go.' }),
    telephone: z.string().nullable().meta({ description: 'Where customers call.' }),
    assureur: z.string().nullable(),
    mediateur: z.string().nullable(),
    logo: z.boolean().meta({ description: 'Whether there is one.' }),
    signature_requise: z.boolean().meta({ description: "Whether no case is closed without the customer's signature." }),
    confirmation_rdv: z.boolean().meta({ description: 'Whether customers are told of their appointments.' }),
    rappel_rdv: z.boolean().meta({ description: 'Whether they are reminded the day before.' }),
    lieu: lieu.nullable(),
    zone_feries: z.enum(zonesFeries),
    fuseau: z.string().nullable().meta({ description: 'IANA name of its own time zone, which rules planning.' }),
    nom_expediteur: z.string().nullable().meta({ description: 'Whom its e-mails are from, if not its company.' }),
    repondre_a: z.string().nullable().meta({ description: 'Where answers to its e-mails go, if not to `email`.' }),
    url_publique: z
      .string()
      .nullable()
      .meta({ description: 'What links to customers begin with, if not the service.' }),
  }),
  {
    id: 'default',
    raison_sociale: 'Cuisines Petit',
    adresse: '12 rue des Lilas, 69003 Lyon',
    siret: '12345678900011',
    email: 'bonjour@cuisines-petit.example',
    telephone: '+33 4 00 00 00 00',
    assureur: null,
    mediateur: null,
    logo: true,
    signature_requise: false,
    confirmation_rdv: true,
    rappel_rdv: true,
    lieu: null,
    zone_feries: 'FR',
    fuseau: null,
    nom_expediteur: 'Cuisines Petit, service après-vente',
    repondre_a: null,
    url_publique: 'https://sav.cuisines-petit.example',
  },
)

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
    answers: ok(account, 'The account.'),
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
    answers: ok(account, 'As it is now.'),
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
