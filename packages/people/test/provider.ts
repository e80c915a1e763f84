import { createServer } from 'node:http'
import { type ClientMetadata, Provider } from 'oidc-provider'

/** The claims about a person. */
export type Person = Readonly<Record<string, unknown>>

interface ProviderOptions {
  /** The address to which people return. */
  readonly redirectUri?: string
  /** Replaces the ID token. The provider then declares that it may sign with any algorithm. */
  readonly forge?: (idToken: string) => string
  /** Other claims at the userinfo endpoint; null: there is none. */
  readonly userinfo?: Person | null
}

/** A real provider on this machine, where this person is already signed in and agrees to everything. */
export async function startProvider(
  person: Person,
  { redirectUri = 'http://localhost:8080/app/session/oidc/retour', forge, userinfo = person }: ProviderOptions = {},
) {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const issuer = `http://localhost:${port}`
  const client: ClientMetadata = { client_id: 'sav', client_secret: 'secret', redirect_uris: [redirectUri] }
  const provider = new Provider(issuer, {
    clients: [client],
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov', 'preferred_username'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['test'] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: async (use) => ({ sub: id, ...(use === 'userinfo' ? userinfo : person) }),
    }),
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  })
  let jwksStatus = 200
  provider.use(async (context, next) => {
    await next()
    const { route } = context['oidc'] ?? {}
    if (route === 'jwks') context.status = jwksStatus
    if (route === 'discovery' && userinfo === null) delete context.body.userinfo_endpoint
    if (forge === undefined) return
    if (route === 'discovery') context.body.id_token_signing_alg_values_supported = ['none', 'HS256', 'RS256']
    if (route === 'token') context.body.id_token = forge(context.body.id_token)
  })
  const callback = provider.callback()
  server.on('request', async (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return callback(req, res)
    const { prompt, params, session } = await provider.interactionDetails(req, res)
    if (prompt.name === 'login')
      return provider.interactionFinished(
        req,
        res,
        { login: { accountId: 'claire' } },
        { mergeWithLastSubmission: false },
      )
    const accountId = session?.accountId ?? ''
    const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) })
    grant.addOIDCScope('openid email')
    return provider.interactionFinished(
      req,
      res,
      { consent: { grantId: await grant.save() } },
      { mergeWithLastSubmission: true },
    )
  })
  return {
    issuer,
    redirectUri,
    /** Answers requests for its keys with this status. */
    keysAnswer(status: number) {
      jwksStatus = status
    },
    /** Follows redirects like a browser. Resolves to the query of the return address. */
    async browse(url: string): Promise<string> {
      const cookies = new Map<string, string>()
      let at = url
      for (let hops = 0; hops < 10; hops += 1) {
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
        const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
        await answer.arrayBuffer()
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          cookies.set(name, value)
        }
        at = new URL(answer.headers.get('location') ?? '', at).href
        if (at.startsWith(redirectUri)) return new URL(at).search
      }
      throw new Error(`nobody came back: ${at}`)
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
