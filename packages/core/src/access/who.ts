import * as z from 'zod'
import { examples, instant, named, type Shape } from '../values/shape.js'
import { roles } from '../values/vocabulary.js'
import { permission } from './api-key.js'

/** The data about the caller that a page needs. */
export const whoShape = named(
  'WhoCalls',
  () =>
    z.object({
      utilisateur: z
        .object({
          id: z.string().describe('`usr_…`'),
          nom: z.string(),
          email: z.string().describe('In lower case; unique in the account.'),
          role: z.enum(roles),
          poseur_id: z.int().positive().nullable().describe('The id of the user as an installer, if any.'),
          passkeys: z.array(
            z.object({
              id: z.string().describe('`psk_…`'),
              nom: z.string(),
              date_creation: instant(),
              derniere_utilisation: instant().nullable(),
            }),
          ),
        })
        .nullable()
        .describe('The person who signed in; null for a key.'),
      cle: z.object({ id: z.string(), nom: z.string() }).nullable().describe('The API key; null for a person.'),
      hote: z
        .object({ id: z.string(), nom: z.string() })
        .nullable()
        .describe('The person named by the server that embeds this service; null if it named none.'),
      permissions: z.array(permission()),
      fonctions: z.array(z.string()).describe('The names of the features that this service has, such as `planning`.'),
      compte: z.object({
        id: z.string(),
        raison_sociale: z.string().nullable(),
        fuseau: z.string().describe('IANA name of the account’s time zone.'),
      }),
      expire_a: instant()
        .nullable()
        .describe('When the key or the session ends at the latest; null if only the host program knows.'),
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
    hote: null,
    permissions: ['sav:read', 'sav:close', 'directory:read'],
    fonctions: ['planning', 'field', 'insight'],
    compte: { id: 'default', raison_sociale: 'Cuisines Petit', fuseau: 'Europe/Paris' },
    expire_a: '2026-01-15T22:30:00.000Z',
  },
)
type Who = Shape<typeof whoShape>
/** The data about the account that a page needs: its name, and the time zone in which to show times. */
export type AccountSummary = Who['compte']
/** The data about the signed-in user that a page needs. */
export type SignedInPerson = NonNullable<Who['utilisateur']>
