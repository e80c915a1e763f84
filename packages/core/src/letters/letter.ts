import type { StoredFile } from '../files/stored-file.js'

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
  /** Where customers call. */
  readonly telephone: string | null
  /** Insurer with the number of the contract, in the account's own words. */
  readonly assureur: string | null
  /** Consumer mediator with its address, in the account's own words. */
  readonly mediateur: string | null
}

/** The company as letters come from it. */
export interface Sender extends Company {
  /** Whom its e-mails are from; null: `raison_sociale`. */
  readonly nom_expediteur: string | null
  /** Where answers to them go; null: `email`. */
  readonly repondre_a: string | null
}

/** What customers know a shop by; null: it has not said it yet, and no customer knows the account `default`. */
export const knownName = ({
  raison_sociale,
  nom_expediteur,
  account,
}: Pick<Sender, 'raison_sociale' | 'nom_expediteur' | 'account'>): string | null =>
  raison_sociale ?? nom_expediteur ?? (account === 'default' ? null : account)

/** As the account has it now. */
export const companyNow = ({
  id: account,
  raison_sociale,
  adresse,
  siret,
  email,
  telephone,
  assureur,
  mediateur,
  nom_expediteur,
  repondre_a,
}: Omit<Sender, 'account'> & { readonly id: string }): Sender => ({
  account,
  raison_sociale,
  adresse,
  siret,
  email,
  telephone,
  assureur,
  mediateur,
  nom_expediteur,
  repondre_a,
})

/** What is sent to a person rather than to a machine. */
export type Letter = ReportLetter | NoticeLetter | RdvLetter | InvitationLetter

/** The reception report on its way to the customer. */
export interface ReportLetter {
  readonly kind: 'report'
  /** The same over every attempt: what a receiver may tell a repetition by. */
  readonly id: string
  /** An e-mail address, or a telephone number as the directory has it. */
  readonly to: string
  readonly societe: Sender
  readonly client: { readonly nom: string; readonly prenom: string }
  readonly reference: string
  /** When it was closed, on site where it was told from there. */
  readonly date_cloture: string
  /** Signed by the customer: a reception, and not only the end of an intervention. */
  readonly signed: boolean
  readonly remplace: ReplacedReport | null
  /** What was done, in the words of the close. */
  readonly resolution: string
  readonly reserves: readonly string[]
  readonly hash_sha256: string
  readonly check_url: string | null
  readonly logo: StoredFile | null
  readonly pdf: Uint8Array
}

/** The report of the close before, of a case that was reopened since. */
export interface ReplacedReport {
  readonly date_cloture: string
  readonly signed: boolean
  readonly reserves: readonly string[]
}

/** Something that the account must know of. */
export interface NoticeLetter {
  readonly kind: 'notice'
  readonly id: string
  /** The account's e-mail address. */
  readonly to: string
  readonly societe: Sender
  readonly notice: Notice
}

/** A link by which somebody who works with the account signs in, once. */
export interface InvitationLetter {
  readonly kind: 'invitation'
  /** Another for each attempt, since each has a link of its own. */
  readonly id: string
  /** The person's e-mail address. */
  readonly to: string
  readonly societe: Sender
  /** Of the person. */
  readonly nom: string
  /** A secret: whoever opens it first is signed in. */
  readonly url: string
  /** When the link ends: an instant. */
  readonly expire_a: string
}

/** What a letter on an appointment is for: it is made or moved; it is cancelled; it is tomorrow; somebody is late. */
export const rdvLetterKinds = ['confirmation', 'annulation', 'rappel', 'retard'] as const
/** What a letter on an appointment is for: see `rdvLetterKinds`. */
export type RdvLetterKind = (typeof rdvLetterKinds)[number]

/** What a customer is told of an appointment. */
export interface RdvLetter {
  readonly kind: 'rdv'
  readonly id: string
  /** An e-mail address, or a telephone number as the directory has it. */
  readonly to: string
  readonly societe: Sender
  readonly logo: StoredFile | null
  readonly client: { readonly nom: string; readonly prenom: string }
  readonly about: RdvLetterKind
  /** Whether the customer has confirmed it; else he is asked to. */
  readonly confirmed: boolean
  /** What an earlier letter told of the time, where that was another; null: it told the same, or there was none. */
  readonly before: { readonly debut: string; readonly fin: string | null } | null
  /** Instants between which somebody comes; without an end, when. */
  readonly debut: string
  readonly fin: string | null
  /** When it ends by the plan; null where the customer was told a window. */
  readonly fin_prevue: string | null
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

/**
 * What an account is told by e-mail: an endpoint that was disabled, a key that expires at `date`, a customer who cancelled or
 * moved an appointment by himself.
 */
export type Notice =
  | { readonly type: 'endpoint_disabled'; readonly url: string; readonly reason: DisableReason; readonly date: string }
  | { readonly type: 'key_expires'; readonly nom: string; readonly date: string }
  | {
      readonly type: 'rdv_client'
      readonly acte: 'annule' | 'deplace'
      readonly client: { readonly nom: string; readonly prenom: string }
      readonly telephone: string | null
      readonly reference: string | null
      readonly debut: string
      /** When it was to begin before; null where it was not moved. */
      readonly ancien_debut: string | null
      /** In the customer's words, where it was cancelled. */
      readonly motif: string | null
    }
