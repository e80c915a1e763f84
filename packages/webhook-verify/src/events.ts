/** The kinds that a receiver can choose. `webhook.test` is not one of them: it is sent on demand. */
export const eventKinds = [
  'sav.created',
  'sav.updated',
  'sav.status_changed',
  'sav.assigned',
  'sav.closed',
  'sav.reopened',
  'sav.report_sent',
  'sav.report_failed',
  'rdv.created',
  'rdv.rescheduled',
  'rdv.confirmed',
  'rdv.cancelled',
  'rdv.completed',
] as const

/** A kind that a receiver can choose. */
export type EventKind = (typeof eventKinds)[number]

/** What every event's data begins with. */
export interface EventData {
  /** `evt_…`: the same in every attempt, and signed with the body, so de-duplicate on it. */
  readonly event_id: string
}

/** A changed field. For free text and notes, `ancien` and `nouveau` are absent. */
export interface FieldChange {
  readonly champ: string
  readonly ancien?: string | number | null
  readonly nouveau?: string | number | null
}

/** The case after the change, with ids instead of personal data. */
export interface SavData extends EventData {
  readonly id: number
  /** `SAV-<year>-<number of at least 5 digits>`. */
  readonly reference: string
  readonly statut: 'ouvert' | 'en_cours' | 'clos'
  readonly priorite: 'basse' | 'normale' | 'haute' | 'urgente'
  readonly type_probleme: 'quincaillerie' | 'electromenager' | 'plan_travail' | 'facade' | 'reglage' | 'autre'
  readonly client: { readonly id: number }
  readonly poseur: { readonly id: number } | null
  /** Grows by one with every change of the case. Events may arrive out of order, so keep the highest. */
  readonly version: number
  readonly changements: readonly FieldChange[]
}

/** A closed case and its evidence: an anchor of the chain that is worth keeping outside of the sender's control. */
export interface SavClosedData extends SavData {
  readonly statut: 'clos'
  /** SHA-256 of the case's snapshot, lowercase hexadecimal. */
  readonly hash_sha256: string
  /** UTC, ISO 8601 with milliseconds. */
  readonly date_cloture: string
  /** Position in the account's evidence chain, from 1. */
  readonly sequence: number
  /** Hash of the chain up to this entry, lowercase hexadecimal. */
  readonly hash_entree: string
}

/** The outcome of a close's reception report: sent by one channel, or failed on all. */
export interface SavReportData extends SavData {
  /** Position of the close in the account's evidence chain, from 1. */
  readonly sequence: number
  /** The first channel that accepted it, such as `email`; null if none did. */
  readonly canal: string | null
}

/** An appointment after the change, with ids instead of personal data. */
export interface RdvData extends EventData {
  readonly id: number
  readonly sav: { readonly id: number; readonly reference: string } | null
  readonly client: { readonly id: number }
  readonly poseur: { readonly id: number }
  /** The teammates. */
  readonly equipiers: readonly { readonly id: number }[]
  readonly type: 'sav' | 'pose' | 'metre' | 'livraison' | 'controle' | 'autre'
  readonly statut: 'propose' | 'planifie' | 'confirme' | 'en_cours' | 'realise' | 'annule' | 'absent'
  /** UTC, ISO 8601 with milliseconds; `fin` is exclusive. */
  readonly debut: string
  readonly fin: string
  /** Grows by one with every change of the appointment. Events may arrive out of order, so keep the highest. */
  readonly version: number
  readonly changements: readonly FieldChange[]
}

/** The data of each kind of event: one line for each of `eventKinds`. */
export interface EventDataByKind {
  'sav.created': SavData
  'sav.updated': SavData
  'sav.status_changed': SavData
  'sav.assigned': SavData
  'sav.closed': SavClosedData
  'sav.reopened': SavData
  'sav.report_sent': SavReportData
  'sav.report_failed': SavReportData
  'rdv.created': RdvData
  'rdv.rescheduled': RdvData
  'rdv.confirmed': RdvData
  'rdv.cancelled': RdvData
  'rdv.completed': RdvData
}

interface Envelope<Kind extends string, Data> {
  readonly event: Kind
  /** When it happened: UTC, ISO 8601 with milliseconds. */
  readonly timestamp: string
  readonly data: Data
}

/** One member for each kind, so that comparing `event` narrows `data`. */
export type KnownEvent = { [Kind in EventKind]: Envelope<Kind, EventDataByKind[Kind]> }[EventKind]

/** The data of a test. */
export interface TestData extends EventData {
  /** `wh_…`: the tested endpoint. */
  readonly endpoint_id: string
}

/** A delivery requested to test a receiver. */
export type TestEvent = Envelope<'webhook.test', TestData>

declare const newerKind: unique symbol

/**
 * A kind that this version does not know, since the service may add some. Its type equals no known kind's, so that a
 * comparison with a known kind excludes it (a plain branded `string` would not narrow).
 */
export type UnknownEvent = Envelope<
  `${string}.${string}` & { readonly [newerKind]: true },
  EventData & { readonly [field: string]: unknown }
>

/**
 * The body of a delivery. Comparing `event` narrows `data`; leave a branch for kinds that are newer than this package.
 */
export type WebhookEvent = KnownEvent | TestEvent | UnknownEvent
