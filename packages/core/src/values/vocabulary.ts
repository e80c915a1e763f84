/**
 * Values that more than one feature uses. Field names and values are the same in every request, answer, event and
 * column.
 */

/** The state of a case. Only a close sets `clos`, and only a reopening leaves it. */
export const statuts = ['ouvert', 'en_cours', 'clos'] as const
/**
 * How urgent a case is, the least urgent first. It is for people: the service only filters and sorts lists by it, on
 * request.
 */
export const priorites = ['basse', 'normale', 'haute', 'urgente'] as const
/**
 * What a case is about, and what a poseur can repair: fittings, appliances, worktop, front, adjustment, or something
 * else.
 */
export const typesProbleme = ['quincaillerie', 'electromenager', 'plan_travail', 'facade', 'reglage', 'autre'] as const

/** The state of a case. */
export type Statut = (typeof statuts)[number]
/** How urgent a case is. */
export type Priorite = (typeof priorites)[number]
/** What a case is about, and what a poseur can repair. */
export type TypeProbleme = (typeof typesProbleme)[number]

/** The kinds of lines in a case's history. */
export const historyKinds = [
  'creation',
  'modification',
  'cloture',
  'reouverture',
  'pv',
  'rapport',
  'effacement',
  'intervention',
  'commentaire',
  'photo',
  'rdv',
  'addendum',
  'terrain',
] as const
/** A kind of line in a case's history. */
export type HistoryKind = (typeof historyKinds)[number]

/** The purpose of a visit: after-sales service, fitting, measuring, delivery, inspection, or something else. */
export const rdvTypes = ['sav', 'pose', 'metre', 'livraison', 'controle', 'autre'] as const
/** The purpose of a visit. */
export type RdvType = (typeof rdvTypes)[number]

/**
 * The state of an appointment. `propose` holds its time for 15 minutes. `realise`, `annule` and `absent` (the customer
 * was not there) are final, and free its time.
 */
export const rdvStatuts = ['propose', 'planifie', 'confirme', 'en_cours', 'realise', 'annule', 'absent'] as const
/** The state of an appointment: see `rdvStatuts`. */
export type RdvStatut = (typeof rdvStatuts)[number]

/** How an appointment that took place ended. */
export const rdvResultats = ['resolu', 'partiel', 'a_reprogrammer', 'impossible'] as const
/** How an appointment that took place ended: only `realise` has one. */
export type RdvResultat = (typeof rdvResultats)[number]

/** The roles of users. */
export const roles = ['administration', 'gestion', 'atelier', 'poseur', 'lecture'] as const
/** The role decides what a user may do: see `permissionsOf`. */
export type Role = (typeof roles)[number]

/**
 * `pending`: attempts are planned or in progress; `delivered` and `failed` are final until a new run is requested.
 */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const
/** The state of a delivery: see `deliveryStates`. */
export type DeliveryState = (typeof deliveryStates)[number]

/** The orders of lists of cases. `-` reverses one; equal cases are listed newest first. */
export const caseOrders = [
  '-date_creation',
  'date_creation',
  '-date_modification',
  'date_modification',
  '-priorite',
  'priorite',
  'client',
  '-client',
  'ville',
  '-ville',
] as const
/** The order of a list of cases: see `caseOrders`. */
export type CaseOrder = (typeof caseOrders)[number]

/**
 * Zones with their own public holidays: mainland France, Alsace-Moselle (departments 57, 67 and 68), and each overseas
 * territory by its ISO 3166-1 code.
 */
export const zonesFeries = ['FR', 'FR-57', 'GP', 'MQ', 'GF', 'RE', 'YT', 'PM', 'BL', 'MF', 'NC', 'PF', 'WF'] as const
/** The zone of an account's public holidays: see `zonesFeries`. */
export type ZoneFeries = (typeof zonesFeries)[number]
