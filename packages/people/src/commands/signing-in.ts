import type { Settings } from '@sav/command/feature'
import type { PeopleOptions } from '../people.js'
import type { IdentityProvider } from '../sign-ins/identity-provider.js'
import type { PasskeyVerifier } from '../sign-ins/passkey-verifier.js'

/** How people can sign in, according to the settings. The code for it is loaded at the first sign-in. */
export function signingInOf({ oidc }: Pick<Settings, 'oidc'>): PeopleOptions {
  return { passkeyVerifier: lazyPasskeys(), identityProvider: oidc && lazyProvider(oidc) }
}

function lazyPasskeys(): PasskeyVerifier {
  const load = async () => (await import('../sign-in.js')).webAuthn
  return {
    requestOptions: async (asked) => (await load()).requestOptions(asked),
    creationOptions: async (asked) => (await load()).creationOptions(asked),
    verifyRequest: async (answer, expected) => (await load()).verifyRequest(answer, expected),
    verifyCreation: async (answer, expected) => (await load()).verifyCreation(answer, expected),
  }
}

function lazyProvider(oidc: NonNullable<Settings['oidc']>): IdentityProvider {
  let loaded: Promise<IdentityProvider> | undefined
  const load = () => {
    loaded ??= import('../sign-in.js').then(({ openIdProvider }) => openIdProvider(oidc))
    return loaded
  }
  return {
    authorizationUrl: async (exchange) => (await load()).authorizationUrl(exchange),
    verifiedEmail: async (search, exchange) => (await load()).verifiedEmail(search, exchange),
  }
}
