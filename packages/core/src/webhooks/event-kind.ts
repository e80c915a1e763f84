import type { EventKind } from '@sav/webhook-verify'
import * as z from 'zod'
import { coreEventKinds } from '../delivery/event-kinds.js'
import { lazily } from '../values/lazily.js'
import { ofFeatures } from '../values/shape.js'

/** A kind of event that a receiver can choose, of the core or a feature. */
export type AnyEventKind = EventKind | (string & Record<never, never>)

/** A kind of event. The contract of a service names those of its features too. */
export const eventKind = lazily(() => z.string().meta({ enum: coreEventKinds, [ofFeatures]: 'events' }))
