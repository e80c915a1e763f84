import { actorTypes, customer, examples, idOf, instant, lazily, named, type Shape } from '@sav/core/feature'
import * as z from 'zod'

/**
 * The kinds of follow-ups. The customer cancelled or moved an appointment, or was absent. An appointment is during an
 * absence of its poseur. A report was not delivered, or a receiver fails. A report from the field was not applied. An
 * installer could not do the work on site.
 */
export const followUpTypes = [
  'rdv_annule_client',
  'rdv_deplace_client',
  'client_absent',
  'rdv_pendant_absence',
  'rapport_non_remis',
  'recepteur_en_echec',
  'terrain',
  'visite_impossible',
] as const
/** The kind of a follow-up: see `followUpTypes`. */
export type FollowUpType = (typeof followUpTypes)[number]

const fields = lazily(() => ({
  id: z.string(),
  type: z.enum(followUpTypes),
  depuis: instant().describe('When the follow-up was opened.'),
  rdv_id: idOf('the appointment').nullable(),
  sav_id: idOf('the case').nullable(),
  client: customer().nullable(),
  texte: z.string().describe('The reason, in the words of the shop, the customer or the receiver.'),
  code: z
    .string()
    .nullable()
    .describe('Why a report did not arrive: the `error_code` of an attempt by the first channel, else null.'),
}))
const example = {
  id: examples.followUp,
  type: 'rdv_annule_client' as const,
  depuis: examples.instant,
  rdv_id: 5,
  sav_id: 42,
  client: { id: 7, nom: 'Durand', prenom: 'Alice' },
  texte: 'Annulé par le client : en voyage.',
  code: null,
}

export const followUpShape = named('FollowUp', () => z.object(fields()), example)
/** Something that needs the office's attention. */
export type FollowUp = Shape<typeof followUpShape>

const par = lazily(() => z.object({ type: z.enum(actorTypes), id: z.string().nullable(), nom: z.string() }))

export const doneFollowUpShape = named(
  'DoneFollowUp',
  () => z.object({ id: fields().id, type: fields().type, fait_le: instant(), fait_par: par() }),
  {
    id: example.id,
    type: example.type,
    fait_le: examples.instant,
    fait_par: { type: 'utilisateur', id: examples.user, nom: 'Claire Martin' },
  },
)
/** A done follow-up, with the time and the person. */
export type DoneFollowUp = Shape<typeof doneFollowUpShape>

/** A follow-up as stored: an event that needs attention, or a derived follow-up that was marked as done. */
export interface FollowUpRecord extends Pick<FollowUp, 'id' | 'type' | 'depuis' | 'rdv_id' | 'sav_id'> {
  readonly account_id: string
  readonly client_id: number | null
  /** The planned beginning of the appointment when the event happened. */
  readonly debut: string | null
  /** Null: the text is the appointment's own. */
  readonly texte: string | null
  /** When the follow-up was marked as done, and by which person. Null: it is open. */
  readonly fait: { readonly le: string; readonly par: DoneFollowUp['fait_par'] } | null
}

export interface FollowUpAccess {
  /** Whether the list includes receivers of webhooks. */
  readonly receivers: boolean
}
