import { describe, expect, it } from 'vitest'
import { authenticator } from '../../test/authenticator.js'
import { webAuthn } from './web-authn.js'

const page = { rp_id: 'sav.petit.example', origin: 'https://sav.petit.example' }
const challenge = Buffer.from('une question, posée une fois').toString('base64url')
const other = Buffer.from('une autre question').toString('base64url')

async function registered() {
  const device = authenticator(page)
  const passkey = await webAuthn.verifyCreation(device.create(challenge), { ...page, challenge })
  if (passkey === null) throw new Error('no passkey was made')
  return { device, passkey }
}

describe('a passkey', () => {
  it('is requested with the options that browsers expect', async () => {
    expect(await webAuthn.requestOptions({ rp_id: page.rp_id, challenge })).toMatchObject({
      rpId: page.rp_id,
      challenge,
      userVerification: 'preferred',
    })
    const user = { id: 'usr_1', nom: 'Zoé Ångström', email: 'zoe@petit.example' }
    const existing = [{ credential_id: 'YWJj', transports: ['internal', 'télépathie'] }]
    const options = await webAuthn.creationOptions({ rp_id: page.rp_id, challenge, user, existing })
    expect(options).toMatchObject({
      challenge,
      rp: { id: page.rp_id, name: 'SAV' },
      user: { name: user.email, displayName: user.nom },
      attestation: 'none',
      excludeCredentials: [{ id: 'YWJj', type: 'public-key' }],
      authenticatorSelection: { residentKey: 'required' },
    })
  })

  it('is created, and signs in', async () => {
    const { device, passkey } = await registered()
    expect(passkey).toMatchObject({ compteur: 0, transports: ['internal'] })
    const answer = device.get(challenge)
    expect(await webAuthn.verifyRequest(answer, { ...page, challenge, passkey })).toEqual({ compteur: 1 })
  })

  it('is refused for another challenge, page or host, and with an altered signature', async () => {
    const { device, passkey } = await registered()
    const answer = device.get(challenge)
    const expected = { ...page, challenge, passkey }
    for (const wrong of [
      { ...expected, challenge: other },
      { ...expected, origin: 'https://sav.petit.exemple' },
      { ...expected, rp_id: 'petit.example' },
      { ...expected, passkey: { ...passkey, compteur: 9 } },
      { ...expected, passkey: (await registered()).passkey },
    ])
      expect(await webAuthn.verifyRequest(answer, wrong)).toBeNull()
    const { signature } = answer.response
    const altered = `${signature.slice(0, -2)}${signature.endsWith('AA') ? 'BB' : 'AA'}`
    const forged = { ...answer, response: { ...answer.response, signature: altered } }
    expect(await webAuthn.verifyRequest(forged, expected)).toBeNull()
    expect(await webAuthn.verifyRequest(answer, expected)).not.toBeNull()
  })

  it('is not created from an answer to another challenge, or for another page', async () => {
    const answer = authenticator(page).create(challenge)
    for (const wrong of [
      { ...page, challenge: other },
      { ...page, challenge, origin: 'https://evil.example' },
      { ...page, challenge, rp_id: 'evil.example' },
    ])
      expect(await webAuthn.verifyCreation(answer, wrong)).toBeNull()
  })

  it('is not created from a malformed answer', async () => {
    const answer = authenticator(page).create(challenge)
    const rubbish = [
      {},
      { ...answer, response: null },
      { ...answer, rawId: 'YWJj' },
      { ...answer, response: { ...answer.response, attestationObject: 'oWNmb28' } },
      { ...answer, response: { ...answer.response, clientDataJSON: 'é' } },
    ]
    for (const each of rubbish) expect(await webAuthn.verifyCreation(each, { ...page, challenge })).toBeNull()
  })
})
