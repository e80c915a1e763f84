import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { UnavailableError } from '@sav/core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { type Person, startProvider } from '../test/provider.js'
import { openIdProvider } from './openid-provider.js'

const claire: Person = { email: 'claire@petit.example', email_verified: true }
const secrets = { state: 'un-état', nonce: 'un-nonce', code_verifier: 'v'.repeat(43) }

const json = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const read = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())

/** The same ID token, about somebody else and signed in another way: null without a signature. */
function resigned(idToken: string, alg: string, signature: ((signed: string) => Buffer) | null, more: object = {}) {
  const [header, claims] = idToken.split('.')
  const signed = `${json({ ...read(header), alg, ...more })}.${json({ ...read(claims), email: 'paul@petit.example' })}`
  return `${signed}.${signature === null ? '' : signature(signed).toString('base64url')}`
}

const hs256 = (secret: string | Buffer) => (signed: string) => createHmac('sha256', secret).update(signed).digest()
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
const rs256 = (signed: string) => sign('sha256', Buffer.from(signed), foreign.privateKey)

/** What the provider's own key is taken for where it is taken for a secret. */
async function publicKey(issuer: string): Promise<string> {
  const { keys } = Object(await (await fetch(`${issuer}/jwks`)).json())
  return createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
}

describe('an identity provider', () => {
  let started: Awaited<ReturnType<typeof startProvider>> | undefined
  afterEach(async () => started?.close())

  async function open(person = claire, options: Parameters<typeof startProvider>[1] = {}) {
    started = await startProvider(person, options)
    const { issuer, redirectUri: redirect_uri, browse } = started
    const provider = openIdProvider({ issuer, clientId: 'sav', clientSecret: 'secret', allowHttp: true })
    const exchange = { redirect_uri, ...secrets }
    return { provider, exchange, browse, come: async () => browse(await provider.authorizationUrl(exchange)) }
  }

  it('vouches for the address of whoever comes back, once', async () => {
    const { provider, exchange, come } = await open()
    const search = await come()
    expect(await provider.verifiedEmail(search, exchange)).toBe(claire.email)
    expect(await provider.verifiedEmail(search, exchange)).toBeNull()
  })

  it('vouches for no address that it has not verified', async () => {
    const { provider, exchange, come } = await open({ ...claire, email_verified: false })
    expect(await provider.verifiedEmail(await come(), exchange)).toBeNull()
  })

  it('is not believed about another sign-in', async () => {
    const { provider, exchange, come } = await open()
    for (const other of [
      { ...exchange, state: 'un-autre' },
      { ...exchange, nonce: 'un-autre' },
      { ...exchange, code_verifier: 'w'.repeat(43) },
    ])
      expect(await provider.verifiedEmail(await come(), other)).toBeNull()
  })

  describe('whose ID token is signed otherwise than by its keys', () => {
    const key = { pem: '' }
    const forgeries: Readonly<Record<string, (idToken: string) => string>> = {
      'not at all': (idToken) => resigned(idToken, 'none', null),
      'not at all, under the name of RS256': (idToken) => resigned(idToken, 'RS256', null),
      'by HS256 with the secret of the client': (idToken) => resigned(idToken, 'HS256', hs256('secret')),
      'by HS256 with the public key': (idToken) => resigned(idToken, 'HS256', hs256(key.pem)),
      'by a foreign key': (idToken) => resigned(idToken, 'RS256', rs256),
      'by a foreign key that it brings along': (idToken) =>
        resigned(idToken, 'RS256', rs256, { jwk: foreign.publicKey.export({ format: 'jwk' }), kid: 'un-autre' }),
      'for what it said before': (idToken) => {
        const [, , signature] = idToken.split('.')
        return resigned(idToken, 'RS256', () => Buffer.from(signature ?? '', 'base64url'))
      },
    }

    it.each(Object.entries(forgeries))('is not believed: %s', async (_, forge) => {
      const { provider, exchange, come } = await open(claire, { forge })
      key.pem = await publicKey(started?.issuer ?? '')
      expect(await provider.verifiedEmail(await come(), exchange)).toBeNull()
    })

    it('is believed when nothing was changed, by the same way', async () => {
      const { provider, exchange, come } = await open(claire, { forge: (idToken) => idToken })
      expect(await provider.verifiedEmail(await come(), exchange)).toBe(claire.email)
    })
  })

  it('whose keys cannot be had vouches for nobody, and is away', async () => {
    const { provider, exchange, come } = await open()
    started?.keysAnswer(503)
    await expect(provider.verifiedEmail(await come(), exchange)).rejects.toThrow(UnavailableError)
    started?.keysAnswer(200)
    expect(await provider.verifiedEmail(await come(), exchange)).toBe(claire.email)
  })

  it('is taken at its word when it refuses', async () => {
    const { provider, exchange } = await open()
    const { issuer = '' } = started ?? {}
    const refused = new URLSearchParams({ error: 'access_denied', state: exchange.state, iss: issuer })
    expect(await provider.verifiedEmail(`?${refused}`, exchange)).toBeNull()
    expect(await provider.verifiedEmail('', exchange)).toBeNull()
  })

  it('that is away is asked again when it is back', async () => {
    const provider = openIdProvider({
      issuer: 'http://localhost:9',
      clientId: 'sav',
      clientSecret: 'x',
      allowHttp: true,
    })
    const exchange = { redirect_uri: 'http://localhost:8080/', ...secrets }
    for (let n = 0; n < 2; n += 1) await expect(provider.authorizationUrl(exchange)).rejects.toThrow(UnavailableError)
  })
})
