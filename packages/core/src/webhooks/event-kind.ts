import { type EventKind, eventKinds } from '@sav/webhook-verify/events'
import * as z from 'zod'
import { lazily } from '../values/lazily.js'
import { ofFeatures } from '../values/shape.js'

/** A kind of event that a receiver can choose, of the core or a feature. */
export type AnyEventKind = EventKind | (string & Record<never, never>)

/** A kind of the core. A service's contract adds the kinds of its features. */
export const eventKind = lazily(() => z.enum(eventKinds).meta({ [ofFeatures]: 'events' }))
