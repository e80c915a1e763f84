import type { Actor, Permission } from '@sav/core'
import type { ApiRequest } from '../http/exchange.js'

/** A caller that the host has identified. */
export interface AuthenticatedActor extends Actor {
  /** Their permissions, like those of a key; `'all'`: everything. */
  readonly permissions: readonly Permission[] | 'all'
}

/** A call before its body is read. */
export interface CallToAuthenticate<Context = undefined>
  extends Required<Pick<ApiRequest<Context>, 'method' | 'target' | 'ip' | 'mount' | 'original' | 'context'>> {
  readonly header: (name: string) => string | undefined
}

/**
 * Identifies the caller, instead of API keys; null means an unknown caller, which gets 401. It runs before a byte of the body
 * is read. An error that it throws is answered by 500 and logged.
 */
export type Authenticate<Context = undefined> = (
  request: CallToAuthenticate<Context>,
) => Promise<AuthenticatedActor | null> | AuthenticatedActor | null
