import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { UnavailableError } from '@sav/core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { type Person, startProvider } from '../../test/provider.js'
import { openIdProvider } from './openid-provider.js'

const email = 'claire@petit.example'
const claire: Person = { email, email_verified: true }
const secrets = { state: 'un-état', nonce: 'un-nonce', code_verifier: 'v'.repeat(43) }

const json = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const read = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())

/** The same ID token about another person, signed in another way; null: without a signature. */
function resigned(idToken: string, alg: string, signature: ((signed: string) => Buffer) | null, more: object = {}) {
  const [header, claims] = idToken.split('.')
  const signed = `${json({ ...read(header), alg, ...more })}.${json({ ...read(claims), email: 'paul@petit.example' })}`
  return `${signed}.${signature === null ? '' : signature(signed).toString('base64url')}`
}

const hs256 = (secret: string | Buffer) => (signed: string) => createHmac('sha256', secret).update(signed).digest()
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
const rs256 = (signed: string) => sign('sha256', Buffer.from(signed), foreign.privateKey)

/** The public key of the provider, which a forger would use as an HMAC secret. */
async function publicKey(issuer: string): Promise<string> {
  const { keys } = Object(await (await fetch(`${issuer}/jwks`)).json())
  return createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
}

type OpenOptions = Parameters<typeof startProvider>[1] & { readonly trustEmail?: boolean }

/** The claims in the ID token, and at userinfo (null: there is none), and why the address is refused. */
type Vouching = readonly [name: string, token: Person, userinfo: Person | null, refused: string | null]
const vouching: readonly Vouching[] = [
  ['Keycloak, Google', { email, email_verified: true }, null, null],
  ['text instead of a boolean', { email, email_verified: 'true' }, null, null],
  ['Cognito: at userinfo only, as text', {}, { email, email_verified: 'true' }, null],
  ['at userinfo only', {}, { email, email_verified: true }, null],
  ['verified at userinfo', { email }, { email, email_verified: true }, null],
  ...[true, 'true', 1, '1'].map(
    (xms_edov): Vouching => [`Entra ID, xms_edov ${JSON.stringify(xms_edov)}`, { email, xms_edov }, { email }, null],
  ),
  ['Entra ID as it comes', { email, preferred_username: email }, { email }, 'email_unvouched'],
  ['nothing said, and no userinfo', { email }, null, 'email_unvouched'],
  ['another address at userinfo', { email }, { email: 'paul@petit.example', email_verified: true }, 'email_unvouched'],
  ['verified, but of no address', { email_verified: true }, { email }, 'email_unvouched'],
  ['false', { email, email_verified: false }, { email, email_verified: true }, 'email_unverified'],
  ['false as text', { email, email_verified: 'false' }, null, 'email_unverified'],
  ['false at userinfo', { email }, { email, email_verified: false }, 'email_unverified'],
  ['xms_edov false', { email, xms_edov: '0' }, null, 'email_unverified'],
  ['false beside xms_edov', { email, email_verified: false, xms_edov: true }, null, 'email_unverified'],
  ['a user name only', { preferred_username: email }, {}, 'email_missing'],
  ['an address that is no text', { email: [email], email_verified: true }, null, 'email_missing'],
]

describe('an identity provider', () => {
  let started: Awaited<ReturnType<typeof startProvider>> | undefined
  afterEach(async () => started?.close())

  async function open(person = claire, { trustEmail = false, ...options }: OpenOptions = {}) {
    started = await startProvider(person, options)
    const { issuer, redirectUri: redirect_uri, browse } = started
    const provider = openIdProvider({ issuer, clientId: 'sav', clientSecret: 'secret', allowHttp: true, trustEmail })
    const exchange = { redirect_uri, ...secrets }
    return { provider, exchange, browse, come: async () => browse(await provider.authorizationUrl(exchange)) }
  }

  it('confirms the address of the returning person only once', async () => {
    const { provider, exchange, come } = await open()
    const search = await come()
    expect(await provider.verifiedEmail(search, exchange)).toEqual({ email, refused: null })
    expect(await provider.verifiedEmail(search, exchange)).toMatchObject({ email: null, refused: 'provider_refused' })
  })

  it.each(vouching)('confirms or refuses an address by its claims: %s', async (_, token, userinfo, refused) => {
    const { provider, exchange, come } = await open(token, { userinfo })
    const answer = await provider.verifiedEmail(await come(), exchange)
    expect(answer).toMatchObject({ email: refused === 'email_missing' ? null : email, refused })
  })

  it.each(vouching)(
    'with trustEmail is trusted unless it says that the address is not verified: %s',
    async (_, token, userinfo, refused) => {
      const { provider, exchange, come } = await open(token, { userinfo, trustEmail: true })
      const answer = await provider.verifiedEmail(await come(), exchange)
      expect(answer.refused).toBe(refused === 'email_unvouched' ? null : refused)
    },
  )

  it.each([
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/ORGANIZATIONS/v2.0/',
    'https://login.microsoftonline.com//consumers',
    'https://login.microsoftonline.us/%63ommon/v2.0',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    'https://sts.windows.net/common/',
  ])('cannot be trusted if any tenant can sign in: %s', (issuer) => {
    const options = { issuer, clientId: 'sav', clientSecret: 'x' }
    expect(() => openIdProvider({ ...options, trustEmail: true })).toThrow(issuer)
    expect(() => openIdProvider(options)).not.toThrow()
  })

  it('can be trusted if only one tenant can sign in', () => {
    const issuer = 'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0'
    expect(() => openIdProvider({ issuer, clientId: 'sav', clientSecret: 'x', trustEmail: true })).not.toThrow()
  })

  it('confirms no address if the state, nonce or code verifier is that of another sign-in', async () => {
    const { provider, exchange, come } = await open()
    for (const other of [
      { ...exchange, state: 'un-autre' },
      { ...exchange, nonce: 'un-autre' },
      { ...exchange, code_verifier: 'w'.repeat(43) },
    ])
      expect(await provider.verifiedEmail(await come(), other)).toMatchObject({
        email: null,
        refused: 'provider_refused',
      })
  })

  describe('whose ID token was signed again', () => {
    const key = { pem: '' }
    const forgeries: Readonly<Record<string, (idToken: string) => string>> = {
      'without a signature': (idToken) => resigned(idToken, 'none', null),
      'without a signature, but declared as RS256': (idToken) => resigned(idToken, 'RS256', null),
      'by HS256 with the secret of the client': (idToken) => resigned(idToken, 'HS256', hs256('secret')),
      'by HS256 with the public key': (idToken) => resigned(idToken, 'HS256', hs256(key.pem)),
      'by a foreign key': (idToken) => resigned(idToken, 'RS256', rs256),
      'by a foreign key in its header': (idToken) =>
        resigned(idToken, 'RS256', rs256, { jwk: foreign.publicKey.export({ format: 'jwk' }), kid: 'un-autre' }),
      'with the signature of other claims': (idToken) => {
        const [, , signature] = idToken.split('.')
        return resigned(idToken, 'RS256', () => Buffer.from(signature ?? '', 'base64url'))
      },
    }

    it.each(Object.entries(forgeries))('is refused: %s', async (_, forge) => {
      const { provider, exchange, come } = await open(claire, { forge })
      key.pem = await publicKey(started?.issuer ?? '')
      expect(await provider.verifiedEmail(await come(), exchange)).toMatchObject({
        email: null,
        refused: 'provider_refused',
      })
    })

    it('is accepted if it is unchanged', async () => {
      const { provider, exchange, come } = await open(claire, { forge: (idToken) => idToken })
      expect(await provider.verifiedEmail(await come(), exchange)).toEqual({ email, refused: null })
    })
  })

  it('whose keys cannot be fetched confirms nobody, and counts as unavailable', async () => {
    const { provider, exchange, come } = await open()
    started?.keysAnswer(503)
    await expect(provider.verifiedEmail(await come(), exchange)).rejects.toThrow(UnavailableError)
    started?.keysAnswer(200)
    expect(await provider.verifiedEmail(await come(), exchange)).toEqual({ email, refused: null })
  })

  it('that refuses the sign-in confirms no address', async () => {
    const { provider, exchange } = await open()
    const { issuer = '' } = started ?? {}
    const refused = new URLSearchParams({ error: 'access_denied', state: exchange.state, iss: issuer })
    expect(await provider.verifiedEmail(`?${refused}`, exchange)).toMatchObject({
      email: null,
      refused: 'provider_refused',
    })
    expect(await provider.verifiedEmail('', exchange)).toMatchObject({ email: null, refused: 'provider_refused' })
  })

  it('that cannot be reached is called again at the next sign-in', async () => {
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
