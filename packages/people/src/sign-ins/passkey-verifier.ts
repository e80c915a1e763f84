import type { Passkey, User } from '../users/user.js'

/** Where a passkey is valid: the page's origin, and its host name, under which authenticators store it. */
export interface RelyingParty {
  readonly origin: string
  readonly rp_id: string
}

/** A browser's answer, not verified yet: the JSON form of WebAuthn Level 3. */
export type BrowserAnswer = Readonly<Record<string, unknown>>

/** WebAuthn (Level 3): the challenges for browsers, and the verification of their answers. Challenges are base64url. */
export interface PasskeyVerifier {
  /** `PublicKeyCredentialRequestOptionsJSON`: for any passkey of this host name. */
  requestOptions(asked: { readonly rp_id: string; readonly challenge: string }): Promise<object>
  /** `PublicKeyCredentialCreationOptionsJSON`: for a discoverable passkey, and at most one on each authenticator. */
  creationOptions(asked: {
    readonly rp_id: string
    readonly challenge: string
    readonly user: Pick<User, 'id' | 'nom' | 'email'>
    readonly existing: readonly Pick<Passkey, 'credential_id' | 'transports'>[]
  }): Promise<object>
  /** The authenticator's new counter; null when the answer is not valid. */
  verifyRequest(
    answer: BrowserAnswer,
    expected: RelyingParty & {
      readonly challenge: string
      readonly passkey: Pick<Passkey, 'credential_id' | 'public_key' | 'compteur' | 'transports'>
    },
  ): Promise<{ readonly compteur: number } | null>
  /** The new passkey; null when the answer is not valid. */
  verifyCreation(
    answer: BrowserAnswer,
    expected: RelyingParty & { readonly challenge: string },
  ): Promise<Pick<Passkey, 'credential_id' | 'public_key' | 'compteur' | 'transports'> | null>
}
