/** The ways on which letters go to people. */
export const letterChannels = ['email', 'whatsapp'] as const
/** A way on which letters go; a delivery of one has it as its channel and as its target. */
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

/** As the account has it now. */
export const companyNow = ({
  id: account,
  raison_sociale,
  adresse,
  siret,
  email,
  assureur,
  mediateur,
}: Omit<Company, 'account'> & { readonly id: string }): Company => ({
  account,
  raison_sociale,
  adresse,
  siret,
  email,
  assureur,
  mediateur,
})

/** What is sent to a person rather than to a machine. */
export type Letter = ReportLetter | NoticeLetter | RdvLetter

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

/** What a letter on an appointment is for: it is made or moved; it is tomorrow; somebody is late. */
export const rdvLetterKinds = ['confirmation', 'rappel', 'retard'] as const
/** What a letter on an appointment is for: see `rdvLetterKinds`. */
export type RdvLetterKind = (typeof rdvLetterKinds)[number]

/** What a customer is told of an appointment. */
export interface RdvLetter {
  readonly kind: 'rdv'
  readonly id: string
  /** An e-mail address, or a telephone number as the directory has it. */
  readonly to: string
  readonly societe: Company
  /** The company's, for who has to change something. */
  readonly telephone: string | null
  readonly client: { readonly nom: string; readonly prenom: string }
  readonly about: RdvLetterKind
  /** Whether the customer has confirmed it; else he is asked to. */
  readonly confirmed: boolean
  /** Instants between which somebody comes; without an end, when. */
  readonly debut: string
  readonly fin: string | null
  /** IANA name of the zone whose wall clock it was agreed by. */
  readonly fuseau: string
  /** One line. */
  readonly lieu: string | null
  /** Who comes, by the first name. */
  readonly poseur: string
  /** By how many minutes somebody is late, where that is what it is about. */
  readonly retard_minutes: number | null
  /** Where the customer answers; null where the service has no public address. */
  readonly page_url: string | null
  /** The appointment for the customer's own calendar (RFC 5545); null: nobody here writes it. */
  readonly ical: string | null
}

/** Why an endpoint was disabled: a delivery ended with 410 Gone, or five days brought nothing but failures. */
export const disableReasons = ['gone', 'failing'] as const
export type DisableReason = (typeof disableReasons)[number]

/** What an account is told by e-mail of itself: an endpoint that was disabled, a key that expires at `date`. */
export type Notice =
  | { readonly type: 'endpoint_disabled'; readonly url: string; readonly reason: DisableReason; readonly date: string }
  | { readonly type: 'key_expires'; readonly nom: string; readonly date: string }
