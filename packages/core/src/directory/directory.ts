import type { Lieu } from './lieu.js'
import type { ZoneFeries } from './zones-feries.js'

/** The fields that are present and not undefined replace the stored ones. */
export type Changes<Fields> = { readonly [field in keyof Fields]?: Fields[field] | undefined }

/** What an account may say of itself; the closing's snapshot and the reception report print it. */
export interface AccountFields {
  readonly raison_sociale: string | null
  readonly adresse: string | null
  readonly siret: string | null
  readonly email: string | null
  /** Where customers call, as letters and pages print it. */
  readonly telephone: string | null
  /** Insurer and contract, as printed. */
  readonly assureur: string | null
  /** Consumer mediator, as printed. */
  readonly mediateur: string | null
  /** SHA-256 of the logo. */
  readonly logo: string | null
  /** Since when a case cannot be closed without the customer's signature; null: it can. */
  readonly signature_requise_depuis: string | null
  /** Since when customers are written to when an appointment is made, moved or confirmed; null: they are not. */
  readonly confirmation_rdv_depuis: string | null
  /** Since when customers are reminded the day before; null: they are not. */
  readonly rappel_rdv_depuis: string | null
  readonly lieu: Lieu | null
  /** Whose public holidays nobody is sent on. */
  readonly zone_feries: ZoneFeries
  /** IANA name of the account's own zone, for its planning; null: the service's. */
  readonly fuseau: string | null
  /** Whom its e-mails are from; null: `raison_sociale`. */
  readonly nom_expediteur: string | null
  /** Where answers to its e-mails go; null: `email`. */
  readonly repondre_a: string | null
  /** What the links of its customers begin with, without a slash at the end; null: the service's own address. */
  readonly url_publique: string | null
}

/** The holder of everything else: a shop. Its `id` is its name, 1 to 63 lowercase letters, digits, `-` or `_`. */
export interface Account extends AccountFields {
  readonly id: string
  readonly created_at: string
}

/** What the account knows of a customer; an erasure replaces the names and empties the rest. */
export interface ClientFields {
  readonly nom: string
  readonly prenom: string
  readonly email: string | null
  readonly telephone: string | null
  readonly adresse: string | null
  readonly lieu: Lieu | null
  /** When the client agreed to be written to by WhatsApp; null: never, or no longer. */
  readonly whatsapp_depuis: string | null
  /** When everything personal was replaced. */
  readonly efface_le: string | null
}

/** A customer as stored. The id stays valid after an erasure, so that cases go on naming it. */
export interface Client extends ClientFields {
  readonly id: number
}

/** What the account knows of an installer. */
export interface PoseurFields {
  readonly nom: string
  /** Since when the poseur can no longer be assigned; null: active. */
  readonly inactif_depuis: string | null
  readonly email: string | null
  /** In which the planning draws him: `#rrggbb`. */
  readonly couleur: string | null
  /** Where his day begins, and ends where `lieu_retour` says nothing else; null: at the first visit. */
  readonly lieu: Lieu | null
  readonly lieu_retour: Lieu | null
}

/** An installer as stored; never deleted, so that past cases and appointments keep the name. */
export interface Poseur extends PoseurFields {
  readonly id: number
}
