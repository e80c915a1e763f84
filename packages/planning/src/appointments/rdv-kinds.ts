import { type EventKind, eventKinds } from '@sav/webhook-verify/events'

export type RdvEvent = Extract<EventKind, `rdv.${string}`>

/** The kinds of events about appointments. The command names them without loading their schemas. */
export const rdvKinds = eventKinds.filter((kind): kind is RdvEvent => kind.startsWith('rdv.'))
