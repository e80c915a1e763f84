import type { StoredFile } from '../files/stored-file.js'
import { picked } from '../values/picked.js'

/** The channels that have a carrier in `@sav/reception-report`. */
export const letterChannels = ['email', 'whatsapp'] as const
/**
 * The name of a letter channel: `email`, `whatsapp`, or one of the host's own, such as `sms`. It is both the channel
 * and the target of a delivery.
 */
export type LetterChannel = (typeof letterChannels)[number] | (string & {})

/** @throws TypeError for a name that cannot be the channel of a delivery */
export function checkLetterChannels(names: readonly string[]): void {
  for (const name of names)
    if (!/^(?!webhook$|wh_)[a-z][a-z0-9_-]{0,31}$/.test(name))
      throw new TypeError(
        `'${name}' cannot name a channel of letters: 1 to 32 of a-z, 0-9, - and _, a letter first, not 'webhook'`,
      )
}

/** The company of a report, as in the snapshot of the close. */
export interface Company {
  /** The account's id, for an account without a name. */
  readonly account: string
  readonly raison_sociale: string | null
  readonly adresse: string | null
  readonly siret: string | null
  readonly email: string | null
  /** Where customers call. */
  readonly telephone: string | null
  /** The insurer and the contract's number, as the account wrote them. */
  readonly assureur: string | null
  /** The consumer mediator and its address, as the account wrote them. */
  readonly mediateur: string | null
}

/** The company that sends a letter. */
export interface Sender extends Company {
  /** The sender's name in its e-mails; null: `raison_sociale`. */
  readonly nom_expediteur: string | null
  /** The reply address; null: `email`. */
  readonly repondre_a: string | null
  /** The colour of highlights in its letters: `#rrggbb`. */
  readonly couleur: string
}

/** The fields of a company that reports and letters print. */
export const companyFields = [
  'raison_sociale',
  'adresse',
  'siret',
  'email',
  'telephone',
  'assureur',
  'mediateur',
] as const satisfies (keyof Company)[]

/** The name by which customers know a shop; null if there is none: `default` is not a name for customers. */
export const knownName = ({
  raison_sociale,
  nom_expediteur,
  account,
}: Pick<Company, 'raison_sociale' | 'account'> & { readonly nom_expediteur?: string | null }): string | null =>
  raison_sociale ?? nom_expediteur ?? (account === 'default' ? null : account)

/** The name of a shop, for a French text. */
export const companyName = (societe: Parameters<typeof knownName>[0]): string =>
  knownName(societe) ?? 'Service après-vente'

/** The company by the account's current data. */
export const companyNow = (account: Omit<Sender, 'account'> & { readonly id: string }): Sender => ({
  account: account.id,
  ...picked(account, [...companyFields, 'nom_expediteur', 'repondre_a', 'couleur']),
})

/** A text for a person, not for a machine. */
export type Letter = ReportLetter | NoticeLetter | RdvLetter | InvitationLetter
/** A letter of one kind. */
export type LetterOf<Kind extends Letter['kind']> = Extract<Letter, { readonly kind: Kind }>

/** The reception report, for the customer. */
export interface ReportLetter {
  readonly kind: 'report'
  /** The same for every attempt, so that a receiver can recognise a repetition. */
  readonly id: string
  /** An e-mail address, or a telephone number in E.164 form. */
  readonly to: string
  readonly societe: Sender
  readonly client: { readonly nom: string; readonly prenom: string }
  readonly reference: string
  /** When the case was closed: for a close on site, the time on site. */
  readonly date_cloture: string
  /** True: the customer has signed, so it is a reception and not only the end of an intervention. */
  readonly signed: boolean
  readonly remplace: ReplacedReport | null
  /** The resolution of the close. */
  readonly resolution: string
  readonly reserves: readonly string[]
  readonly hash_sha256: string
  readonly check_url: string | null
  readonly logo: StoredFile | null
  readonly pdf: Uint8Array
}

/** The report of the previous close, if the case was reopened since. */
export interface ReplacedReport {
  readonly date_cloture: string
  readonly signed: boolean
  readonly reserves: readonly string[]
}

/** A notice for the account. */
export interface NoticeLetter {
  readonly kind: 'notice'
  readonly id: string
  /** The account's e-mail address. */
  readonly to: string
  readonly societe: Sender
  readonly notice: Notice
}

/** A link by which a user signs in, once. */
export interface InvitationLetter {
  readonly kind: 'invitation'
  /** Different for each attempt, because each has a link of its own. */
  readonly id: string
  /** The user's e-mail address. */
  readonly to: string
  readonly societe: Sender
  /** The user's name. */
  readonly nom: string
  /** A secret: the first person to open it is signed in. */
  readonly url: string
  /** When the link ends: an instant. */
  readonly expire_a: string
}

/** The kinds of letters about an appointment: made or moved; cancelled; tomorrow; the installer is late. */
export const rdvLetterKinds = ['confirmation', 'annulation', 'rappel', 'retard'] as const
/** The kind of a letter about an appointment: see `rdvLetterKinds`. */
export type RdvLetterKind = (typeof rdvLetterKinds)[number]

/** A letter about an appointment, for its customer. */
export interface RdvLetter {
  readonly kind: 'rdv'
  readonly id: string
  /** An e-mail address, or a telephone number in E.164 form. */
  readonly to: string
  readonly societe: Sender
  readonly logo: StoredFile | null
  readonly client: { readonly nom: string; readonly prenom: string }
  readonly about: RdvLetterKind
  /** Whether the customer has confirmed the appointment; if not, the letter asks for a confirmation. */
  readonly confirmed: boolean
  /** The time in an earlier letter, if it has changed; null: it has not, or there was no letter. */
  readonly before: { readonly debut: string; readonly fin: string | null } | null
  /** The beginning of the window in which the installer comes, or the time of arrival if there is no end. */
  readonly debut: string
  readonly fin: string | null
  /** The planned end; null if the customer was given a window. */
  readonly fin_prevue: string | null
  /** IANA name of the time zone in which the appointment was agreed. */
  readonly fuseau: string
  /** The place in one line. */
  readonly lieu: string | null
  /** The first name of the installer. */
  readonly poseur: string
  /** The delay in minutes, for a letter about a delay. */
  readonly retard_minutes: number | null
  /** The page where the customer can answer; null if the service has no public address. */
  readonly page_url: string | null
  /** The appointment for the customer's calendar (RFC 5545); null: letters have none. */
  readonly ical: string | null
}

/** Why an endpoint was disabled: a delivery ended with 410 Gone, or five days had only failures. */
export const disableReasons = ['gone', 'failing'] as const
export type DisableReason = (typeof disableReasons)[number]

/**
 * A notice to an account by e-mail: an endpoint was disabled, a key expires at `date`, a customer cancelled or moved an
 * appointment.
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
      /** The previous beginning; null if the appointment was not moved. */
      readonly ancien_debut: string | null
      /** The customer's own words, for a cancellation. */
      readonly motif: string | null
    }
