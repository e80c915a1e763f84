import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import * as z from 'zod'
import type { BrowserAnswer, PasskeyVerifier } from '../sign-ins/passkey-verifier.js'

/** EdDSA, ES256 and RS256: the algorithms of authenticators. */
const supportedAlgorithmIDs = [-8, -7, -257]

const base64url = z.string().regex(/^[\w-]*$/)
const transports = z.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])).max(10)
/** An authenticator may report a transport that is not known here yet. */
const knownTransports = transports.catch([])

const common = { id: base64url, rawId: base64url, type: z.literal('public-key') }
const extensions = z.record(z.string(), z.unknown()).default({})

const requestAnswer = z.object({
  ...common,
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
  clientExtensionResults: extensions,
})

const creationAnswer = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: knownTransports.default([]),
  }),
  clientExtensionResults: extensions,
})

/**
 * Checks passkeys in this process, without calling any server: attestation (the maker of an authenticator) is not
 * requested.
 */
export const webAuthn: PasskeyVerifier = {
  requestOptions: ({ rp_id, challenge }) =>
    generateAuthenticationOptions({
      rpID: rp_id,
      challenge: bytesOf(challenge),
      userVerification: 'preferred',
    }),

  creationOptions: ({ rp_id, challenge, user, existing }) =>
    generateRegistrationOptions({
      rpName: 'SAV',
      rpID: rp_id,
      challenge: bytesOf(challenge),
      userID: new TextEncoder().encode(user.id),
      userName: user.email,
      userDisplayName: user.nom,
      attestationType: 'none',
      excludeCredentials: existing.map(({ credential_id, transports }) => ({
        id: credential_id,
        transports: knownTransports.parse(transports),
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      supportedAlgorithmIDs,
    }),

  verifyRequest: (answer, { origin, rp_id, challenge, passkey }) =>
    verdict(requestAnswer, answer, async (response) => {
      const { credential_id, public_key, compteur, transports } = passkey
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rp_id,
        credential: {
          id: credential_id,
          publicKey: bytesOf(public_key),
          counter: compteur,
          transports: knownTransports.parse(transports),
        },
        requireUserVerification: false,
      })
      return verified ? { compteur: authenticationInfo.newCounter } : null
    }),

  verifyCreation: (answer, { origin, rp_id, challenge }) =>
    verdict(creationAnswer, answer, async (response) => {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rp_id,
        requireUserVerification: false,
        supportedAlgorithmIDs,
      })
      if (!verified) return null
      const { id, publicKey, counter } = registrationInfo.credential
      const { transports } = response.response
      return {
        credential_id: id,
        public_key: Buffer.from(publicKey).toString('base64url'),
        compteur: counter,
        transports,
      }
    }),
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

/** The result of `check`; null for an answer of another shape, and if the library throws. */
async function verdict<S extends z.ZodType, Outcome>(
  schema: S,
  answer: BrowserAnswer,
  check: (response: z.output<S>) => Promise<Outcome | null>,
): Promise<Outcome | null> {
  const { data } = schema.safeParse(answer)
  if (data === undefined) return null
  try {
    return await check(data)
  } catch {
    // The library throws if something does not match.
    return null
  }
}
