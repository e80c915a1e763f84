import type { Passkey, User } from './user.js'

/** Where a passkey is good: the page's origin, and its host name, by which authenticators keep it. */
export interface RelyingParty {
  readonly origin: string
  readonly rp_id: string
}

/** What a browser answered, not looked at yet: the JSON form of WebAuthn Level 3. */
export type BrowserAnswer = Readonly<Record<string, unknown>>

/** WebAuthn (Level 3): what browsers are asked, and whether what they answer stands. Challenges are base64url. */
export interface PasskeyVerifier {
  /** `PublicKeyCredentialRequestOptionsJSON`: for whoever has a passkey of this name. */
  requestOptions(asked: { readonly rp_id: string; readonly challenge: string }): Promise<object>
  /** `PublicKeyCredentialCreationOptionsJSON`: a passkey that finds its owner by itself, and none twice on one authenticator. */
  creationOptions(asked: {
    readonly rp_id: string
    readonly challenge: string
    readonly user: Pick<User, 'id' | 'nom' | 'email'>
    readonly existing: readonly Pick<Passkey, 'credential_id' | 'transports'>[]
  }): Promise<object>
  /** The authenticator's new counter; null when the answer does not stand. */
  verifyRequest(
    answer: BrowserAnswer,
    expected: RelyingParty & {
      readonly challenge: string
      readonly passkey: Pick<Passkey, 'credential_id' | 'public_key' | 'compteur' | 'transports'>
    },
  ): Promise<{ readonly compteur: number } | null>
  /** The new passkey; null when the answer does not stand. */
  verifyCreation(
    answer: BrowserAnswer,
    expected: RelyingParty & { readonly challenge: string },
  ): Promise<Pick<Passkey, 'credential_id' | 'public_key' | 'compteur' | 'transports'> | null>
}
