import {
  type AuditCall,
  type Begun,
  permissionsOf,
  SignInRefusedError,
  UnavailableError,
  type User,
  type Write,
} from '@sav/core'
import type { BodyReservation } from '../api/body-budget.js'
import type { ConsoleOrigin } from '../api/console-origin.js'
import { type ApiRequest, type ApiResponse, json } from '../api/exchange.js'
import { Refusal, refuseBeyond } from '../api/failures.js'
import { type Holder, refuseCrossSite } from '../api/holder.js'
import { readJson } from '../api/json-body.js'
import type { ApiCore } from '../api/write.js'
import { cookieOf, noOidc, oidcCookie, oidcIs, sessionIs } from './cookies.js'
import { whoCalls } from './who.js'

/** A call as it reaches the sign-in. */
export interface SignInCall {
  readonly request: ApiRequest
  /** As sent, without its question mark. */
  readonly search: string
  readonly ip: string
  readonly budget: BodyReservation
  /** @throws Refusal for nobody */
  holder(): Promise<Holder>
  /** Who it turned out to be, and with what the audit tells of it. */
  recognised(user: User, status: number): AuditCall
}

interface SignInDeps {
  readonly sav: ApiCore
  readonly consoleOrigin: ConsoleOrigin
  /** Where the service is reached from outside, without a slash at its end; null: it does not know. */
  readonly publicUrl: string | null
}

type Answering = (call: SignInCall) => Promise<ApiResponse>

/** What is answered at a path, by method. */
export interface SignInRoute {
  readonly answer: ReadonlyMap<string, Answering>
  readonly allow: string
}

export interface SignIn {
  /** Undefined for a path that is not there. */
  find(path: string): SignInRoute | undefined
}

/** Longer than any name of an account. */
const maxAccountLength = 100

/** What a browser answers, with its certificates: far beyond any. */
const maxBodyBytes = 64 * 1024

const notHere =
  'Nobody signs in over plain http from another machine: set SAV_PUBLIC_URL to the https address of this service.'

/** How people sign in on pages of this service: it is no part of the API's contract, and takes no keys. */
export function createSignIn({ sav, consoleOrigin, publicUrl }: SignInDeps): SignIn {
  const { signIns } = sav.writes

  /** @throws Refusal where nobody may sign in */
  function originOf(request: ApiRequest): string {
    const origin = consoleOrigin(request)
    if (origin === null) throw new Refusal('conflict', { fields: { detail: notHere } })
    return origin
  }

  /** @throws Refusal on an address without a name */
  function pageOf(request: ApiRequest) {
    const origin = originOf(request)
    const { hostname, port } = new URL(origin)
    if (/^[\d.]+$|^\[/.test(hostname)) {
      const detail = `A passkey needs a name, and an address is none: open http://localhost:${port}/app.`
      throw new Refusal('conflict', { fields: { detail } })
    }
    return { origin, rp_id: hostname }
  }

  async function bodyOf({ request, budget }: SignInCall): Promise<unknown> {
    originOf(request)
    refuseCrossSite(request, consoleOrigin)
    return (await readJson(request, budget, maxBodyBytes)).value
  }

  const deviceOf = ({ request, ip }: SignInCall) => ({ ip, appareil: request.header('user-agent') ?? '' })

  /** Whoever guesses is held up, as with keys. */
  async function counted<T>({ ip }: SignInCall, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof SignInRefusedError) refuseBeyond(sav.limits.failedAuthentication(ip))
      throw error
    }
  }

  /** @param written what begins the session; it may refuse before it is a write */
  const begin = (call: SignInCall, status: number, written: () => Write<Begun>) =>
    counted(call, () => sav.perform(written(), (tx, { user }) => sav.audit.record(tx, call.recognised(user, status))))

  async function welcome(call: SignInCall, written: () => Write<Begun>): Promise<ApiResponse> {
    const { secret, session, user } = await begin(call, 200, written)
    const { account_id, id, nom, role } = user
    const actor = { account_id, type: 'utilisateur', id, nom } as const
    const holder = { actor, id, permissions: permissionsOf[role], expire_a: session.expire_a, key: null, session }
    const data = await whoCalls(sav, holder)
    return json(200, { success: true, data }, ['Set-Cookie', sessionIs(secret)])
  }

  /** Whoever asks without being known is counted by address. */
  const asked = (call: SignInCall) => refuseBeyond(sav.limits.publicLook(call.ip))

  const redirectUri = (request: ApiRequest) => `${publicUrl ?? originOf(request)}/app/session/oidc/retour`
  const found = (location: string, ...cookies: string[]): ApiResponse => ({
    status: 302,
    headers: [
      ...['Location', location, 'Cache-Control', 'no-store', 'Referrer-Policy', 'no-referrer'],
      ...cookies.flatMap((cookie) => ['Set-Cookie', cookie]),
    ],
    body: '',
  })

  /** What a page can tell somebody who looks at a browser, not at an API. */
  function failed(error: unknown): ApiResponse {
    const reason =
      error instanceof SignInRefusedError
        ? reasons[error.reason]
        : error instanceof UnavailableError
          ? 'indisponible'
          : null
    if (reason === null) throw error
    return found(`/app/connexion?erreur=${reason}`, noOidc)
  }

  const routes: Readonly<Record<string, Readonly<Record<string, Answering>>>> = {
    methodes: {
      async GET({ request }) {
        const origin = consoleOrigin(request)
        const hasName = origin !== null && !/^[\d.]+$|^\[/.test(new URL(origin).hostname)
        const { passkeys, oidc } = sav.signIns
        const phrase = origin === null ? notHere : null
        return json(200, { success: true, data: { passkey: passkeys && hasName, oidc, phrase } })
      },
    },
    invitation: {
      async POST(call) {
        const body = await bodyOf(call)
        return welcome(call, () => signIns.byInvitation(body, deviceOf(call)))
      },
    },
    'passkey/options': {
      async POST(call) {
        await bodyOf(call)
        asked(call)
        return json(200, { success: true, data: await sav.perform(signIns.askPasskey(pageOf(call.request))) })
      },
    },
    'passkey/verify': {
      async POST(call) {
        const body = await bodyOf(call)
        const page = pageOf(call.request)
        return welcome(call, () => signIns.byPasskey(body, page, deviceOf(call)))
      },
    },
    'passkey/registration/options': {
      async POST(call) {
        await bodyOf(call)
        const { actor, id } = await person(call)
        const page = pageOf(call.request)
        const data = await sav.perform(signIns.askNewPasskey(actor, id, page))
        return json(200, { success: true, data })
      },
    },
    'passkey/registration/verify': {
      async POST(call) {
        const body = await bodyOf(call)
        const { actor, id } = await person(call)
        const page = pageOf(call.request)
        const data = await counted(call, async () => sav.perform(signIns.addPasskey(actor, id, body, page)))
        return json(201, { success: true, data })
      },
    },
    oidc: {
      async GET(call) {
        asked(call)
        const compte = new URLSearchParams(call.search).get('compte')?.slice(0, maxAccountLength) ?? null
        try {
          const { url, secret } = await sav.perform(signIns.askOidc(redirectUri(call.request), compte))
          return found(url, oidcIs(secret))
        } catch (error) {
          return failed(error)
        }
      },
    },
    'oidc/retour': {
      async GET(call) {
        const { request } = call
        const back = {
          secret: cookieOf(request, oidcCookie) ?? '',
          search: `?${call.search}`,
          redirect_uri: redirectUri(request),
        }
        try {
          const { secret } = await begin(call, 302, () => signIns.byOidc(back, deviceOf(call)))
          return found('/app/', sessionIs(secret), noOidc)
        } catch (error) {
          return failed(error)
        }
      },
    },
  }

  /** @throws Refusal for a key, which has no use for a passkey */
  async function person(call: SignInCall): Promise<Holder> {
    const holder = await call.holder()
    if (holder.session === null) throw new Refusal('unauthorized')
    return holder
  }

  const paths = new Map(
    Object.entries(routes).map(([name, byMethod]) => {
      const answer = new Map(Object.entries(byMethod))
      return [`/app/session/${name}`, { answer, allow: ['OPTIONS', ...answer.keys()].sort().join(', ') }]
    }),
  )
  return { find: (path) => paths.get(path) }
}

const reasons = { refused: 'refuse', expired: 'expire', unknown_person: 'inconnu' } as const
