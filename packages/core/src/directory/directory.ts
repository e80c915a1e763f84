import * as z from 'zod'
import { logoFile } from '../files/attachments.js'
import type { Inputs } from '../input-types.gen.js'
import { issue } from '../refusals/reason.js'
import { isTimeZone } from '../time/time.js'
import { lazily } from '../values/lazily.js'
import { idOf, instant, named, type Shape } from '../values/shape.js'
import { companyTelephone, telephone } from '../values/telephone.js'
import { colour, emailAddress, integerAmong, line, publicUrl, text } from '../values/validation.js'
import { zonesFeries } from '../values/vocabulary.js'
import { lieuInput, lieuShape } from './lieu.js'

/** The account, its clients and its installers: inputs, views and records. */

/** Defined fields replace the stored ones. */
export type Changes<Fields> = { readonly [field in keyof Fields]?: Fields[field] | undefined }

/** Steps that divide the hour, so that appointments have round times. */
const gridSteps: readonly number[] = [5, 10, 15, 20, 30, 60]

/**
 * Only the given fields change; null empties an optional one. `siret` has 14 digits; the logo is a base64 data URI of a
 * JPEG or PNG, at most 512 KiB decoded and 4000×4000 pixels.
 */
export const accountInput = lazily(() =>
  z
    .strictObject({
      raison_sociale: line({ max: 200 }).nullable(),
      adresse: text({ max: 500 }).nullable(),
      siret: z
        .string()
        .regex(/^\d{14}$/, issue('not_a_siret'))
        .nullable(),
      email: emailAddress().nullable(),
      telephone: companyTelephone().nullable(),
      assureur: text({ max: 500 }).nullable(),
      mediateur: text({ max: 500 }).nullable(),
      logo: logoFile().nullable(),
      couleur: colour(),
      signature_requise: z.boolean(),
      confirmation_rdv: z.boolean(),
      rappel_rdv: z.boolean(),
      prevenir_bureau: z.boolean(),
      lieu: lieuInput().nullable(),
      zone_feries: z.enum(zonesFeries),
      fuseau: z.string().refine(isTimeZone, issue('not_a_time_zone')).nullable(),
      pas: integerAmong(gridSteps).describe('Visits begin at multiples of this many minutes of the wall clock.'),
      nom_expediteur: line({ min: 1, max: 100 }).nullable(),
      repondre_a: emailAddress().nullable(),
      url_publique: publicUrl().nullable(),
      textes_terrain: z.array(text({ min: 1, max: 500 })).max(50),
    })
    .partial(),
)
/** What `accounts.update` takes. */
export type AccountInput = Inputs['account']

export const accountShape = named(
  'Account',
  () =>
    z.object({
      id: z.string(),
      raison_sociale: z.string().nullable().describe('Company name, as printed.'),
      adresse: z.string().nullable(),
      siret: z.string().nullable(),
      email: z.string().nullable().describe('The address to which notices are sent.'),
      telephone: z.string().nullable().describe('The number that customers call.'),
      assureur: z.string().nullable().describe('Insurer and contract, as printed.'),
      mediateur: z.string().nullable().describe('Consumer mediator, as printed.'),
      logo: z.boolean().describe('Whether the account has a logo.'),
      couleur: z.string().describe("The colour of customers' pages and letters: `#rrggbb`."),
      signature_requise: z.boolean().describe("Whether a close needs the customer's signature."),
      confirmation_rdv: z.boolean().describe('Whether customers get letters about their appointments.'),
      rappel_rdv: z.boolean().describe('Whether customers get a reminder the day before an appointment.'),
      prevenir_bureau: z
        .boolean()
        .describe('Whether `email` gets a notice when a customer cancels or moves an appointment.'),
      lieu: lieuShape().nullable(),
      zone_feries: z.enum(zonesFeries).describe('The zone whose public holidays are days without work.'),
      fuseau: z.string().nullable().describe('IANA name of the account’s time zone, if not the service’s.'),
      pas: z.int().positive().describe('Visits begin at multiples of this many minutes of the wall clock.'),
      nom_expediteur: z.string().nullable().describe('The sender of the e-mails, if not the company.'),
      repondre_a: z.string().nullable().describe('The reply address of the e-mails, if not `email`.'),
      url_publique: z.string().nullable().describe('The base URL of links for customers, if not the service’s.'),
      textes_terrain: z.array(z.string()).describe('Short texts that installers choose from on their phones.'),
      dossiers_par_mois: z
        .int()
        .nullable()
        .describe('How many cases the account may create in a calendar month; null: no limit.'),
      stockage_octets: z
        .int()
        .nullable()
        .describe('How many bytes the photos, signatures and reports may take in all; null: no limit.'),
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
    couleur: '#17507a',
    signature_requise: false,
    confirmation_rdv: true,
    rappel_rdv: true,
    prevenir_bureau: false,
    lieu: null,
    zone_feries: 'FR',
    fuseau: null,
    pas: 15,
    nom_expediteur: 'Cuisines Petit, service après-vente',
    repondre_a: null,
    url_publique: 'https://sav.cuisines-petit.example',
    textes_terrain: ['Charnière remplacée.', 'Porte réglée, essais faits avec le client.'],
    dossiers_par_mois: null,
    stockage_octets: null,
  },
)
type AccountShape = Shape<typeof accountShape>

/**
 * An account as callers see it. A setting is shown as true or false, not as the instant at which it was switched on.
 */
export interface AccountView extends Omit<AccountShape, 'logo'> {
  /** SHA-256 of the logo; null without one. */
  readonly logo: string | null
  readonly created_at: string
  /** Since when its keys and sessions are refused and its deliveries wait; null: not disabled. */
  readonly desactive_le: string | null
}

/** The fields of an account that only the service's operator sets. */
type OperatorFields = Pick<AccountView, 'desactive_le' | 'dossiers_par_mois' | 'stockage_octets'>

/** The fields of an account, which snapshots and reports include. */
export interface AccountFields
  extends Omit<
    AccountView,
    | keyof OperatorFields
    | 'id'
    | 'created_at'
    | 'signature_requise'
    | 'confirmation_rdv'
    | 'rappel_rdv'
    | 'prevenir_bureau'
  > {
  /** Since when a case cannot be closed without the customer's signature; null: it can. */
  readonly signature_requise_depuis: string | null
  /** Since when customers get a letter when an appointment is made, moved or confirmed; null: they get none. */
  readonly confirmation_rdv_depuis: string | null
  /** Since when customers get a reminder the day before; null: they get none. */
  readonly rappel_rdv_depuis: string | null
  /** Since when the account gets notices of what customers do; null: none. */
  readonly prevenir_bureau_depuis: string | null
}

/** A shop, which owns everything else. Its `id` is its name, 1 to 63 lowercase letters, digits, `-` or `_`. */
export interface Account extends AccountFields, OperatorFields {
  readonly id: string
  readonly created_at: string
}

/** An account to be added: by default neither disabled nor limited. */
export type NewAccount = Omit<Account, keyof OperatorFields> & Partial<OperatorFields>

/** A person needs a first name; a company may have only a name. */
export const hasFirstNameOrCompany = ({ prenom, raison_sociale }: Pick<ClientFields, 'prenom' | 'raison_sociale'>) =>
  prenom !== '' || raison_sociale !== null

/** The fields of a client that callers give. Imports, exports and the store follow from them. */
export const clientFields = lazily(() => ({
  nom: line({ min: 1, max: 120 }),
  prenom: line({ max: 120 }),
  raison_sociale: line({ min: 1, max: 200 }).nullable(),
  email: emailAddress().nullable(),
  telephone: telephone().nullable(),
  adresse: text({ min: 1, max: 500 }).nullable(),
  lieu: lieuInput().nullable(),
  whatsapp: z.boolean(),
}))

/**
 * A new client: `nom` and `prenom` of 1 to 120 characters after trimming; `prenom` may be empty if `raison_sociale`
 * names a company. `whatsapp`: the client agreed to messages there.
 */
export const addClientInput = lazily(() =>
  z
    .strictObject({
      ...clientFields(),
      raison_sociale: clientFields().raison_sociale.default(null),
      email: clientFields().email.default(null),
      telephone: clientFields().telephone.default(null),
      adresse: clientFields().adresse.default(null),
      lieu: clientFields().lieu.default(null),
      whatsapp: clientFields().whatsapp.default(false),
    })
    .refine(hasFirstNameOrCompany, {
      path: ['prenom'],
      message: issue('first_name_or_company'),
      // By default, zod skips this check if another field is bad. With `when`, all problems are reported together.
      when: ({ value }) => typeof Object(value).prenom === 'string',
    })
    .register(z.globalRegistry, {
      not: { properties: { prenom: { const: '' }, raison_sociale: { type: 'null' } }, required: ['prenom'] },
    }),
)
/** What `directory.clients.add` takes. */
export type AddClientInput = Inputs['addClient']

/** Only the given fields change; null empties an optional one. The bounds are those of `addClientInput`. */
export const updateClientInput = lazily(() => z.strictObject(clientFields()).partial())
/** What `directory.clients.update` takes. */
export type UpdateClientInput = Inputs['updateClient']

export const clientShape = named(
  'Client',
  () =>
    z.object({
      id: idOf('the client'),
      nom: z.string(),
      prenom: z.string().describe('Empty for a company without a contact person.'),
      raison_sociale: z.string().nullable().describe('Name of the company; null for a private person.'),
      email: z.string().nullable(),
      telephone: z.string().nullable(),
      adresse: z.string().nullable(),
      lieu: lieuShape().nullable().describe('Where an installer travels to.'),
      whatsapp: z.boolean().describe('Whether the client agreed to messages by WhatsApp.'),
      efface_le: instant().nullable().describe('When the personal data were erased.'),
    }),
  {
    id: 7,
    nom: 'Durand',
    prenom: 'Alice',
    raison_sociale: null,
    email: 'alice@example.com',
    telephone: null,
    adresse: null,
    lieu: null,
    whatsapp: false,
    efface_le: null,
  },
)
/** A client as callers see it. */
export type ClientView = Shape<typeof clientShape>

/** The fields of a customer. An erasure replaces `nom` and `prenom`, and empties the rest. */
export interface ClientFields extends Omit<ClientView, 'id' | 'whatsapp'> {
  /** When the client agreed to messages by WhatsApp; null: never, or no longer. */
  readonly whatsapp_depuis: string | null
}

/** A client of whom only the name is known. */
export const unknownClient: Omit<ClientFields, 'nom' | 'prenom' | 'efface_le'> = {
  raison_sociale: null,
  email: null,
  telephone: null,
  adresse: null,
  lieu: null,
  whatsapp_depuis: null,
}

/** A customer as stored. The id stays valid after an erasure, since cases refer to it. */
export interface Client extends ClientFields {
  readonly id: number
}

const poseurFields = lazily(() => ({
  nom: line({ min: 1, max: 120 }),
  actif: z.boolean(),
  email: emailAddress().nullable(),
  couleur: colour().nullable(),
  lieu: lieuInput().nullable(),
  lieu_retour: lieuInput().nullable(),
}))

/** A new installer: `nom` of 1 to 120 characters after trimming, `couleur` as `#rrggbb`; active by default. */
export const addPoseurInput = lazily(() =>
  z.strictObject({
    nom: poseurFields().nom,
    actif: poseurFields().actif.default(true),
    email: poseurFields().email.default(null),
    couleur: poseurFields().couleur.default(null),
    lieu: poseurFields().lieu.default(null),
    lieu_retour: poseurFields().lieu_retour.default(null),
  }),
)
/** What `directory.poseurs.add` takes. */
export type AddPoseurInput = Inputs['addPoseur']

/** Only the given fields change; null empties an optional one. The bounds are those of `addPoseurInput`. */
export const updatePoseurInput = lazily(() => z.strictObject(poseurFields()).partial())
/** What `directory.poseurs.update` takes. */
export type UpdatePoseurInput = Inputs['updatePoseur']

export const poseurShape = named(
  'Poseur',
  () =>
    z.object({
      id: idOf('the installer'),
      nom: z.string(),
      actif: z.boolean().describe('Whether the installer can be assigned to cases and visits.'),
      email: z.string().nullable(),
      couleur: z.string().nullable().describe('The colour of the installer in the planning: `#rrggbb`.'),
      lieu: lieuShape().nullable().describe('Where the day begins. Without `lieu_retour`, it also ends there.'),
      lieu_retour: lieuShape().nullable(),
    }),
  { id: 3, nom: 'Bruno Petit', actif: true, email: null, couleur: '#2f7d5b', lieu: null, lieu_retour: null },
)
/** An installer as callers see it. */
export type PoseurView = Shape<typeof poseurShape>

/** The fields of an installer. */
export interface PoseurFields extends Omit<PoseurView, 'id' | 'actif'> {
  /** Since when the poseur can no longer be assigned; null: active. */
  readonly inactif_depuis: string | null
}

/** An installer as stored; never deleted, since past cases and appointments show the name. */
export interface Poseur extends PoseurFields {
  readonly id: number
}
