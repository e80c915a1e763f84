import { type Reach, reachOf } from '@sav/core/internal'
import type { ApiRequest } from '../http/exchange.js'
import type { Caller } from './route.js'

/** Whose visits the caller may see and tell of. */
export const reached = ({ actor, may }: Pick<Caller, 'actor' | 'may'>): Reach => reachOf(actor, may('admin'))

/** By what a repetition is known, for 30 days. */
export const cleOf = (request: ApiRequest): string | null => request.header('idempotency-key') ?? null
