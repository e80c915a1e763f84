/** What one sign-in is recognised by when it comes back: state, nonce and PKCE verifier. */
export interface OidcExchange {
  readonly redirect_uri: string
  readonly state: string
  readonly nonce: string
  readonly code_verifier: string
}

/** Who says who somebody is (OpenID Connect Core, authorization code flow with PKCE). */
export interface IdentityProvider {
  /** Where the browser goes. @throws UnavailableError when the provider cannot be asked */
  authorizationUrl(exchange: OidcExchange): Promise<string>
  /**
   * The e-mail address that the provider has verified, or null: it refused, or vouches for none.
   * @param search of the address that the browser came back to, with its question mark
   * @throws UnavailableError when the provider cannot be asked
   */
  verifiedEmail(search: string, exchange: OidcExchange): Promise<string | null>
}
