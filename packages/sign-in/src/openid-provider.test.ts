import { UnavailableError } from '@sav/core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { type Person, startProvider } from '../test/provider.js'
import { openIdProvider } from './openid-provider.js'

const claire: Person = { email: 'claire@petit.example', email_verified: true }
const secrets = { state: 'un-état', nonce: 'un-nonce', code_verifier: 'v'.repeat(43) }

describe('an identity provider', () => {
  let started: Awaited<ReturnType<typeof startProvider>> | undefined
  afterEach(async () => started?.close())

  async function open(person = claire, clientSecret = 'secret') {
    started = await startProvider(person)
    const { issuer, redirectUri: redirect_uri, browse } = started
    const provider = openIdProvider({ issuer, clientId: 'sav', clientSecret, allowHttp: true })
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
