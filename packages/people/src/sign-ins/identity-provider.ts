import type { ProviderRefusal } from '@sav/core/feature'

/** What identifies a sign-in on its return: state, nonce and PKCE verifier. */
export interface OidcExchange {
  readonly redirect_uri: string
  readonly state: string
  readonly nonce: string
  readonly code_verifier: string
}

/** A verified e-mail address, or why there is none. */
export type ProviderAnswer =
  | { readonly email: string; readonly refused: null }
  | {
      /** The unverified address; null if the provider sent none. */
      readonly email: string | null
      readonly refused: ProviderRefusal
      /** For the administrator: what was found, and what to do. */
      readonly cause: unknown
    }

/** A service that identifies people (OpenID Connect Core, authorization code flow with PKCE). */
export interface IdentityProvider {
  /** The address for the browser. @throws UnavailableError when the provider cannot be reached */
  authorizationUrl(exchange: OidcExchange): Promise<string>
  /**
   * The e-mail address that the provider has verified, or why there is none.
   * @param search of the return address, with its question mark
   * @throws UnavailableError when the provider cannot be reached
   */
  verifiedEmail(search: string, exchange: OidcExchange): Promise<ProviderAnswer>
}
