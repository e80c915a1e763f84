import type { EventDataOf, NamedChange } from '@sav/core/feature'
import type { EventKind } from '@sav/webhook-verify'
import type { Rdv } from './rdv.js'

export type RdvEvent = Extract<EventKind, `rdv.${string}`>

/**
 * The data of an event about an appointment: ids and states, no names or addresses. For free text it only says that the
 * text changed.
 */
export function rdvEventData(rdv: Rdv, changes: readonly NamedChange[]): EventDataOf<RdvEvent> {
  const { id, sav, client, poseur, equipiers, type, statut, debut, fin, version } = rdv
  return {
    id,
    sav: sav && { id: sav.id, reference: sav.reference },
    client: { id: client.id },
    poseur: { id: poseur.id },
    equipiers: equipiers.map((person) => ({ id: person.id })),
    type,
    statut,
    debut,
    fin,
    version,
    changements: changes,
  }
}
