import type { ApiRequest, Caller } from '@sav/http-node/feature'
import { type Reach, reachOf } from '../own-visits.js'

/** The visits that the caller may see and report on. */
export const reached = ({ actor, may }: Pick<Caller, 'actor' | 'may'>): Reach => reachOf(actor, may('admin'))

/** The caller's key for repetitions of a call, kept for 30 days. */
export const cleOf = (request: ApiRequest): string | null => request.header('idempotency-key') ?? null
