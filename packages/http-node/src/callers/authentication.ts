import type { Actor, Permission } from '@sav/core'
import type { ApiRequest } from '../http/exchange.js'

/** A caller identified by the host. */
export interface AuthenticatedActor extends Actor {
  /** The caller's permissions, like those of a key; `'all'` means every permission. */
  readonly permissions: readonly Permission[] | 'all'
}

/** A call before its body is read. */
export interface CallToAuthenticate<Context = undefined>
  extends Required<Pick<ApiRequest<Context>, 'method' | 'target' | 'ip' | 'mount' | 'original' | 'context'>> {
  readonly header: (name: string) => string | undefined
}

/**
 * Identifies the caller, instead of API keys. It returns null for an unknown caller, who gets 401. It is called before
 * the body is read. If it throws, the answer is 500 and the error is logged.
 */
export type Authenticate<Context = undefined> = (
  request: CallToAuthenticate<Context>,
) => Promise<AuthenticatedActor | null> | AuthenticatedActor | null
