import { isAwaited } from '../appointments/customer-letters.js'
import { type Rdv, takesPlace } from '../appointments/rdv.js'
import type { FollowUpRecord } from './follow-up.js'

/**
 * Whether an event of an appointment no longer needs action, even if it is not marked as done.
 * @param ofClient every appointment of the same client
 * @param now the current time
 */
export function isSettled(
  { type, depuis, debut }: Pick<FollowUpRecord, 'type' | 'depuis' | 'debut'>,
  rdv: Rdv,
  { ofClient, now }: { readonly ofClient: readonly Rdv[]; readonly now: string },
): boolean {
  switch (type) {
    case 'rdv_annule_client':
      return rdv.statut !== 'annule' || isBookedAgain(rdv, depuis, ofClient)
    case 'client_absent':
      return rdv.statut !== 'absent' || isBookedAgain(rdv, depuis, ofClient)
    case 'visite_impossible':
      return rdv.bilan?.resultat !== 'impossible' || isBookedAgain(rdv, depuis, ofClient)
    case 'rdv_deplace_client':
      return !isAwaited(rdv) || rdv.debut !== debut || rdv.fin <= now
    case 'rdv_pendant_absence':
      return rdv.statut !== 'planifie' || rdv.debut !== debut || rdv.fin <= now
    default:
      return false
  }
}

/** Whether a later booking for the same case replaces the appointment. */
const isBookedAgain = (rdv: Rdv, since: string, ofClient: readonly Rdv[]) =>
  ofClient.some(
    (other) => other.id !== rdv.id && other.sav?.id === rdv.sav?.id && other.date_creation > since && takesPlace(other),
  )
