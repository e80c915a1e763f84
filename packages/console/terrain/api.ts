import type { Operations } from '@sav/client'

/** The data that the service and a phone exchange, in the types of the client. It is stored as it was received. */

type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadOnly<T[Key]> }
    : T
type DataOf<Operation> = Operation extends { answer: { data: infer Data } } ? ReadOnly<Data> : never
type Intervention = Operations['POST']['/v1/planning/{id}/intervention']

/** The visits of an installer, with their cases. */
export type Terrain = DataOf<Operations['GET']['/api/v1/terrain']>
export type Rdv = Terrain['rdv'][number]
export type Statut = Rdv['statut']
export type Lieu = NonNullable<Rdv['lieu']>
export type Dossier = Terrain['dossiers'][number]
export type Slot = DataOf<Operations['GET']['/api/v1/terrain/rdv/{id}/creneaux']>[number]
/** The signed-in user. */
export type SessionView = DataOf<Operations['GET']['/api/v1/session']>
/** What a phone reports about itself at each contact. */
export type DeviceBody = Operations['PUT']['/api/v1/terrain/appareil']['body']
/** The body of a report, without the fields that every report has. */
export type InterventionBody = ReadOnly<Omit<Intervention['body'], 'survenu_a' | 'decalage_ms' | 'version'>>
export type Resultat = InterventionBody['resultat']
export type Piece = NonNullable<InterventionBody['pieces']>[number]
/** The answer to a report. */
export type AnsweredRdv = DataOf<Intervention>
/** What the service found about a report: what the office did meanwhile, or has to do now. */
export type Constat = NonNullable<AnsweredRdv['constat']>
export type ConstatCode = Constat['codes'][number]
export type Moment = NonNullable<InterventionBody['photos']>[number]['moment']

export const resultats: readonly Resultat[] = ['resolu', 'partiel', 'a_reprogrammer', 'impossible']
export const moments: readonly Moment[] = ['avant', 'apres', 'autre']

/** A 401 with this code, or with this header, means that the office wants the phone wiped. */
export const deviceEndedCode = 'device_ended'
export const deviceEndedHeader = { name: 'X-Sav-Device', value: 'ended' } as const

/** The live events about visits and their cases. */
export const liveKinds = [
  'sav.created',
  'sav.updated',
  'sav.status_changed',
  'sav.assigned',
  'sav.closed',
  'sav.reopened',
  'rdv.created',
  'rdv.rescheduled',
  'rdv.confirmed',
  'rdv.cancelled',
  'rdv.completed',
  'reset',
] as const
