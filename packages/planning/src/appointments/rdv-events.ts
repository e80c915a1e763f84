import {
  changedFields,
  type EventDataOf,
  type EventDeclaration,
  emitterOf,
  eventVersion,
  idOf,
  instant,
  type NamedChange,
  named,
  rdvStatuts,
  rdvTypes,
  reference,
  type Shape,
} from '@sav/core/feature'
import { exampleEvents } from '@sav/webhook-verify/testing'
import * as z from 'zod'
import type { Rdv } from './rdv.js'
import { type RdvEvent, rdvKinds } from './rdv-kinds.js'

const exampleOf = (kind: RdvEvent): EventDataOf<RdvEvent> => {
  const { event_id: _, ...data } = exampleEvents[kind].data
  return data
}

const data = named(
  'RdvEventData',
  () =>
    z.object({
      id: idOf('the appointment'),
      sav: z.object({ id: idOf('the case'), reference: reference() }).nullable(),
      client: z.object({ id: idOf('the client') }),
      poseur: z.object({ id: idOf('the installer') }),
      equipiers: z.array(z.object({ id: idOf('the installer') })).describe('The teammates.'),
      type: z.enum(rdvTypes),
      statut: z.enum(rdvStatuts),
      debut: instant(),
      fin: instant(),
      version: eventVersion(),
      changements: changedFields(),
    }),
  exampleOf('rdv.created'),
)

type RdvDeclaration = EventDeclaration & { readonly data: typeof data }

/** The kinds of events of planning. */
export const rdvEvents = Object.fromEntries(
  rdvKinds.map((kind) => [kind, { permission: 'planning:read', data, example: exampleOf(kind) }]),
) as { readonly [Kind in RdvEvent]: RdvDeclaration }

export const emit = emitterOf(rdvEvents)

/**
 * The data of an event about an appointment: ids and states, no names or addresses. For a free text it only says that
 * the text changed. The type is the one that receivers see.
 */
export function rdvEventData(rdv: Rdv, changes: readonly NamedChange[]): Shape<typeof data> & EventDataOf<RdvEvent> {
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
