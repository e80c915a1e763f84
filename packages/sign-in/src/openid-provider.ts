import type { IdentityProvider } from '@sav/core/ports'
import { UnavailableError } from '@sav/core/ports'
import * as client from 'openid-client'

/** Which provider, and what this service is called there. */
export interface OpenIdProviderOptions {
  /** `https://id.example`: its configuration is found below it (OpenID Connect Discovery). */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Lets the provider be asked over plain http: for one on this machine. */
  readonly allowHttp?: boolean
}

const timeoutSeconds = 10

/** People whom an OpenID Connect provider has verified. The provider is asked when the first person signs in, not before. */
export function openIdProvider(options: OpenIdProviderOptions): IdentityProvider {
  const { issuer, clientId, clientSecret, allowHttp = false } = options
  let discovered: Promise<client.Configuration> | undefined

  function configuration(): Promise<client.Configuration> {
    discovered ??= client
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: timeoutSeconds,
        // What comes over TLS from the provider itself need not be signed (OpenID Connect Core §3.1.3.7); ours must be.
        execute: [client.enableNonRepudiationChecks, ...(allowHttp ? [client.allowInsecureRequests] : [])],
      })
      .catch((cause: unknown) => {
        // It may be there the next time.
        discovered = undefined
        throw away(cause)
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
        const claims = tokens.claims()
        const { email, email_verified } = claims?.['email'] === undefined ? await moreOf(config, tokens) : claims
        return typeof email === 'string' && email_verified === true ? email : null
      } catch (error) {
        if (isRefusal(error)) return null
        throw away(error)
      }
    },
  }
}

/** What a provider tells at its userinfo endpoint alone. */
async function moreOf(
  config: client.Configuration,
  { access_token, claims }: Awaited<ReturnType<typeof client.authorizationCodeGrant>>,
): Promise<Readonly<Record<string, unknown>>> {
  return client.fetchUserInfo(config, access_token, claims()?.sub ?? '')
}

/** The provider, or what came from it, says no: asking again would change nothing. */
const isRefusal = (error: unknown): boolean =>
  error instanceof client.AuthorizationResponseError ||
  error instanceof client.ResponseBodyError ||
  (error instanceof client.ClientError && error.code !== 'OAUTH_TIMEOUT' && !isOutage(error.cause))

const isOutage = (cause: unknown) => cause instanceof Response && cause.status >= 500

const away = (cause: unknown) => new UnavailableError('The identity provider is away.', { cause, retryAfterSeconds: 5 })
