/** The ways on which letters go to people. */
export const letterChannels = ['email', 'whatsapp'] as const
export type LetterChannel = (typeof letterChannels)[number]

/** Whose report it is, as the closing's snapshot has it. */
export interface Company {
  /** The account's id, for one that has not said its name yet. */
  readonly account: string
  readonly raison_sociale: string | null
  readonly adresse: string | null
  readonly siret: string | null
  readonly email: string | null
  /** Insurer with the number of the contract, in the account's own words. */
  readonly assureur: string | null
  /** Consumer mediator with its address, in the account's own words. */
  readonly mediateur: string | null
}

/** What is sent to a person rather than to a machine. */
export type Letter = ReportLetter | NoticeLetter

/** The reception report on its way to the customer. */
export interface ReportLetter {
  readonly kind: 'report'
  /** The same over every attempt: what a receiver may tell a repetition by. */
  readonly id: string
  /** An e-mail address, or a telephone number as the directory has it. */
  readonly to: string
  readonly societe: Company
  readonly client: { readonly nom: string; readonly prenom: string }
  readonly reference: string
  readonly date_cloture: string
  /** Signed by the customer: a reception, and not only the end of an intervention. */
  readonly signed: boolean
  readonly hash_sha256: string
  readonly check_url: string | null
  readonly pdf: Uint8Array
}

/** Something that the account must know of. */
export interface NoticeLetter {
  readonly kind: 'notice'
  readonly id: string
  /** The account's e-mail address. */
  readonly to: string
  readonly societe: Company
  readonly notice: Notice
}

/** Why an endpoint was disabled: a delivery ended with 410 Gone, or five days brought nothing but failures. */
export const disableReasons = ['gone', 'failing'] as const
export type DisableReason = (typeof disableReasons)[number]

export type Notice =
  | { readonly type: 'endpoint_disabled'; readonly url: string; readonly reason: DisableReason; readonly date: string }
  | { readonly type: 'key_expires'; readonly nom: string; readonly date: string }
