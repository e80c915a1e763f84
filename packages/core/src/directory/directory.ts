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
  /** Insurer and contract, as printed. */
  readonly assureur: string | null
  /** Consumer mediator, as printed. */
  readonly mediateur: string | null
  /** SHA-256 of the logo. */
  readonly logo: string | null
  /** Since when a case cannot be closed without the customer's signature; null: it can. */
  readonly signature_requise_depuis: string | null
  readonly lieu: Lieu | null
  /** Whose public holidays nobody is sent on. */
  readonly zone_feries: ZoneFeries
  /** IANA name of the account's own zone, for its planning; null: the service's. */
  readonly fuseau: string | null
}

export interface Account extends AccountFields {
  readonly id: string
  readonly created_at: string
}

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

export interface Client extends ClientFields {
  readonly id: number
}

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

export interface Poseur extends PoseurFields {
  readonly id: number
}
