/** The data by which a sign-in is recognised when it comes back: state, nonce and PKCE verifier. */
export interface OidcExchange {
  readonly redirect_uri: string
  readonly state: string
  readonly nonce: string
  readonly code_verifier: string
}

/** A service that identifies people (OpenID Connect Core, authorization code flow with PKCE). */
export interface IdentityProvider {
  /** The address for the browser. @throws UnavailableError when the provider cannot be reached */
  authorizationUrl(exchange: OidcExchange): Promise<string>
  /**
   * The e-mail address that the provider has verified, or null: it refused, or has verified none.
   * @param search of the address that the browser came back to, with its question mark
   * @throws UnavailableError when the provider cannot be reached
   */
  verifiedEmail(search: string, exchange: OidcExchange): Promise<string | null>
}
