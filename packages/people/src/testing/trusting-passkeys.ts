import type { BrowserAnswer, PasskeyVerifier, RelyingParty } from '../sign-ins/passkey-verifier.js'

/**
 * Checks that an answer names its passkey, challenge and page, but does not check a signature. Only for tests.
 */
export const trustingPasskeys: PasskeyVerifier = {
  requestOptions: async (asked) => ({ ...asked }),
  creationOptions: async ({ rp_id, challenge, user, existing }) => ({
    rp_id,
    challenge,
    user: user.email,
    existing: existing.map(({ credential_id }) => credential_id),
  }),
  verifyRequest: async (answer, { origin, challenge, passkey }) =>
    proves(answer, { origin, challenge, key: passkey.public_key })
      ? { compteur: Number(answer['compteur'] ?? 0) }
      : null,
  async verifyCreation(answer, { origin, challenge }) {
    const key = String(answer['key'])
    if (!proves(answer, { origin, challenge, key })) return null
    return { credential_id: String(answer['id']), public_key: key, compteur: 0, transports: ['internal'] }
  },
}

interface PasskeyStatement extends Pick<RelyingParty, 'origin'> {
  readonly challenge: string
  readonly key: string
}

/** The answer of a browser with this passkey, on a page of this origin; `compteur` is how often it was used. */
export function trustedAnswer(
  id: string,
  { origin, challenge, key, compteur = 0 }: PasskeyStatement & { readonly compteur?: number },
): BrowserAnswer {
  const clientDataJSON = Buffer.from(JSON.stringify({ origin, challenge })).toString('base64url')
  return { id, key, compteur, response: { clientDataJSON } }
}

function proves({ key, response }: BrowserAnswer, expected: PasskeyStatement): boolean {
  const { origin, challenge } = JSON.parse(Buffer.from(Object(response).clientDataJSON, 'base64url').toString())
  return key === expected.key && origin === expected.origin && challenge === expected.challenge
}
