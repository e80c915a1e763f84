import { isSharedByTenants } from '@sav/core/feature'
import { UnavailableError } from '@sav/core/ports'
import * as client from 'openid-client'
import type { IdentityProvider, ProviderAnswer } from '../sign-ins/identity-provider.js'
import { type Claims, emailIn } from './email-claims.js'

/** The settings of a provider. */
export interface OpenIdProviderOptions {
  /** `https://id.example`: its configuration is found below it (OpenID Connect Discovery). */
  readonly issuer: string
  /** The id of this service at the provider. */
  readonly clientId: string
  /** The client secret from the provider. */
  readonly clientSecret: string
  /** Allows plain http, for a provider on this machine. */
  readonly allowHttp?: boolean
  /**
   * Trusts the addresses of a provider without a claim about their verification, such as one tenant of Entra ID. Its
   * administrators can then sign in here as any user, by assigning that address.
   */
  readonly trustEmail?: boolean
}

const timeoutSeconds = 10

/**
 * Users verified by an OpenID Connect provider. The provider is first called at the first sign-in.
 * @throws Error for `trustEmail` together with an issuer that all tenants of Entra ID share
 */
export function openIdProvider(options: OpenIdProviderOptions): IdentityProvider {
  const { issuer, clientId, clientSecret, allowHttp = false, trustEmail = false } = options
  if (trustEmail && isSharedByTenants(issuer))
    throw new Error(
      `trustEmail cannot be set for ${issuer}: any tenant can sign in there. Use the issuer of your own tenant.`,
    )
  let discovered: Promise<client.Configuration> | undefined

  function configuration(): Promise<client.Configuration> {
    discovered ??= client
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: timeoutSeconds,
        // Tokens received over TLS directly from the provider need no signature check (OpenID Connect Core §3.1.3.7),
        // but one is made here.
        execute: [client.enableNonRepudiationChecks, ...(allowHttp ? [client.allowInsecureRequests] : [])],
      })
      .catch((cause: unknown) => {
        // The next sign-in tries again, since the provider may be reachable then.
        discovered = undefined
        throw unavailable(cause)
      })
    return discovered
  }

  return {
    async authorizationUrl({ redirect_uri, state, nonce, code_verifier }) {
      const url = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    },

    async verifiedEmail(search, { redirect_uri, state, nonce, code_verifier }) {
      const config = await configuration()
      try {
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirect_uri}${search}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: code_verifier,
          idTokenExpected: true,
        })
        const token = tokens.claims() ?? {}
        const inToken = emailIn([token])
        const found = inToken.isVerified === null ? emailIn([token, await userinfoOf(config, tokens)]) : inToken
        return answerOf(found, { issuer, trustEmail })
      } catch (error) {
        if (isRefusal(error)) return { email: null, refused: 'provider_refused', cause: error }
        throw unavailable(error)
      }
    },
  }
}

/** The answer of a provider's userinfo endpoint; empty if it has none, or does not answer this client. */
async function userinfoOf(
  config: client.Configuration,
  { access_token, claims }: Awaited<ReturnType<typeof client.authorizationCodeGrant>>,
): Promise<Claims> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return {}
  try {
    return await client.fetchUserInfo(config, access_token, claims()?.sub ?? '')
  } catch (error) {
    if (error instanceof client.WWWAuthenticateChallengeError) return {}
    throw error
  }
}

function answerOf(
  { email, isVerified }: ReturnType<typeof emailIn>,
  { issuer, trustEmail }: { readonly issuer: string; readonly trustEmail: boolean },
): ProviderAnswer {
  if (email === null)
    return {
      ...{ email, refused: 'email_missing' },
      cause: new Error(`${issuer} sent no email claim: release it to this client (in Entra ID, an optional claim).`),
    }
  if (isVerified ?? trustEmail) return { email, refused: null }
  if (isVerified === false)
    return {
      ...{ email, refused: 'email_unverified' },
      cause: new Error(`${issuer} says that the address is not verified: verify it there.`),
    }
  return {
    ...{ email, refused: 'email_unvouched' },
    cause: new Error(
      `${issuer} sends neither email_verified nor xms_edov, so it does not say whether the address is verified: send one of them, or set SAV_OIDC_TRUST_EMAIL=1 if only your own administrators set addresses there.`,
    ),
  }
}

/** The provider refuses, or its answer is invalid: asking again would not help. */
const isRefusal = (error: unknown): boolean =>
  error instanceof client.AuthorizationResponseError ||
  error instanceof client.ResponseBodyError ||
  (error instanceof client.ClientError && error.code !== 'OAUTH_TIMEOUT' && !isOutage(error.cause))

const isOutage = (cause: unknown) => cause instanceof Response && cause.status >= 500

const unavailable = (cause: unknown) =>
  new UnavailableError('The identity provider cannot be reached.', { cause, retryAfterSeconds: 5 })
