import { SignInRefusedError, UnavailableError, type Write } from '@sav/core'
import type { ApiRequest, ApiResponse } from '@sav/http-node'
import {
  cookieOf,
  type Holder,
  json,
  Refusal,
  readJson,
  refuseBeyond,
  type SignIn,
  type SignInCall,
  type SignInDeps,
  sessionCookie,
  sessionIs,
  whoCalls,
} from '@sav/http-node/feature'
import type { PeopleFeature } from '../people.js'
import { reason } from '../refusals.js'
import type { NewSession } from '../sign-ins/beginning.js'
import type { AccountChoice } from '../sign-ins/oidc-sign-ins.js'
import { isOfField, permissionsOfRole, type User } from '../users/user.js'
import { consoleOrigin as consoleOriginOf } from './console-origin.js'
import { refuseCrossSite } from './cross-site.js'
import { chosenCookie, chosenIn, chosenIs, noChosen, noOidc, oidcCookie, oidcIs } from './oidc-cookies.js'
import { holderOfSession, sessionHolders } from './session-holder.js'

/** Whether a URL's host is an IP address. */
const isIpAddress = /^[\d.]+$|^\[/

const setting = (...cookies: string[]) => cookies.flatMap((cookie) => ['Set-Cookie', cookie])

type SignInHandler = (call: SignInCall) => Promise<ApiResponse>

/** The sign-in pages of this service, by path: they are not part of the API's contract, and take no keys. */
export function createSignIn({ sav, fonctions, publicUrl }: SignInDeps<PeopleFeature>): SignIn {
  const consoleOrigin = consoleOriginOf(publicUrl)
  const { signIns } = sav.writes

  /** @throws Refusal if sign-in is impossible */
  function originOf(request: ApiRequest): string {
    const origin = consoleOrigin(request)
    if (origin === null) throw new Refusal('conflict', { because: reason('sign_in_needs_https') })
    return origin
  }

  /** @throws Refusal on an address without a host name */
  function pageOf(request: ApiRequest) {
    const origin = originOf(request)
    const { hostname, port } = new URL(origin)
    if (isIpAddress.test(hostname)) throw new Refusal('conflict', { because: reason('passkey_needs_name', { port }) })
    return { origin, rp_id: hostname }
  }

  /** @throws Refusal for a request that our pages did not send */
  function refuseForeign({ request }: SignInCall): void {
    originOf(request)
    refuseCrossSite(request, consoleOrigin)
  }

  async function bodyOf(call: SignInCall): Promise<unknown> {
    refuseForeign(call)
    const { request, readBody } = call
    return (await readBody((budget) => readJson(request, budget))).value
  }

  const deviceOf = ({ request, ip }: SignInCall) => ({
    ip,
    appareil: request.header('user-agent') ?? '',
    replaced: cookieOf(request, sessionCookie),
  })

  /** Failed look-ups of a secret are counted by address and limited, as with keys. */
  async function counted<T>({ ip }: SignInCall, look: () => Promise<T>): Promise<T> {
    try {
      return await look()
    } catch (error) {
      if (error instanceof SignInRefusedError) refuseBeyond(sav.limits.failedAuthentication(ip))
      throw error
    }
  }

  /** Work that costs more than a look-up is counted before it begins, and uncounted on success. */
  async function countedBefore<T>({ ip }: SignInCall, work: () => Promise<T>): Promise<T> {
    refuseBeyond(sav.limits.failedAuthentication(ip))
    const done = await work()
    sav.limits.authenticated(ip)
    return done
  }

  /** @param written a write that begins the session, or lets the person choose an account. It may throw a refusal. */
  const begin = <B extends NewSession | AccountChoice>(call: SignInCall, status: number, written: () => Write<B>) =>
    sav.perform(written(), async (tx, begun) => {
      if ('user' in begun) await sav.audit.record(tx, call.recognised(begun.user, status))
    })

  async function welcome(
    call: SignInCall,
    written: () => Write<NewSession>,
    cookies: (user: User) => readonly string[] = () => [],
  ): Promise<ApiResponse> {
    const { secret, session, user } = await begin(call, 200, written)
    const holder = holderOfSession(sav, { user, session, permissions: permissionsOfRole(sav.permissions, user.role) })
    const data = await whoCalls(sav, holder, fonctions)
    return json(200, { success: true, data }, setting(sessionIs(secret), ...cookies(user)))
  }

  /** Requests without a session are counted by address. */
  const asked = (call: SignInCall) => refuseBeyond(sav.limits.publicLook(call.ip))

  const redirectUri = (request: ApiRequest) => `${publicUrl ?? originOf(request)}/app/session/oidc/retour`
  const found = (location: string, ...cookies: string[]): ApiResponse => ({
    status: 302,
    headers: [
      ...['Location', location, 'Cache-Control', 'no-store', 'Referrer-Policy', 'no-referrer'],
      ...setting(...cookies),
    ],
    body: '',
  })

  /** Shows a failed sign-in on a page, since its messages are for people at a browser. */
  function failed(call: SignInCall, error: unknown): ApiResponse {
    if (error instanceof SignInRefusedError) call.refused(error)
    const reason =
      error instanceof SignInRefusedError
        ? refusalsOnPage[error.reason]
        : error instanceof UnavailableError
          ? 'indisponible'
          : null
    if (reason === null) throw error
    return found(`/app/connexion?erreur=${reason}`, noOidc)
  }

  const routes: Readonly<Record<string, Readonly<Record<string, SignInHandler>>>> = {
    methodes: {
      async GET({ request }) {
        const origin = consoleOrigin(request)
        const hasName = origin !== null && !isIpAddress.test(new URL(origin).hostname)
        const { passkeys, oidc } = sav.signIns
        const phrase = origin === null ? reason('sign_in_needs_https').message : null
        const choix = cookieOf(request, chosenCookie) !== null
        return json(200, { success: true, data: { passkey: passkeys && hasName, oidc, choix, phrase } })
      },
    },
    invitation: {
      async POST(call) {
        const body = await bodyOf(call)
        return counted(call, () => welcome(call, () => signIns.byInvitation(body, deviceOf(call))))
      },
    },
    'invitation/apercu': {
      async POST(call) {
        const body = await bodyOf(call)
        return json(200, { success: true, data: await counted(call, () => sav.signIns.lookAtInvitation(body)) })
      },
    },
    'passkey/options': {
      async POST(call) {
        refuseForeign(call)
        asked(call)
        await bodyOf(call)
        return json(200, { success: true, data: await sav.signIns.askPasskey(pageOf(call.request)) })
      },
    },
    'passkey/verify': {
      async POST(call) {
        refuseForeign(call)
        const page = pageOf(call.request)
        return countedBefore(call, async () => {
          const body = await bodyOf(call)
          return welcome(call, () => signIns.byPasskey(body, page, deviceOf(call)))
        })
      },
    },
    'passkey/registration/options': {
      async POST(call) {
        const { actor, id } = await person(call)
        await bodyOf(call)
        const page = pageOf(call.request)
        const data = await sav.perform(signIns.askNewPasskey(actor, id, page))
        return json(200, { success: true, data })
      },
    },
    'passkey/registration/verify': {
      async POST(call) {
        const { actor, id } = await person(call)
        const body = await bodyOf(call)
        const page = pageOf(call.request)
        const data = await counted(call, async () => sav.perform(signIns.addPasskey(actor, id, body, page)))
        return json(201, { success: true, data })
      },
    },
    oidc: {
      async GET(call) {
        asked(call)
        const forgets = new URLSearchParams(call.search).has('choisir')
        try {
          const { url, secret } = await sav.signIns.askOidc(redirectUri(call.request))
          return found(url, oidcIs(secret), ...(forgets ? [noChosen] : []))
        } catch (error) {
          return failed(call, error)
        }
      },
    },
    'oidc/retour': {
      async GET(call) {
        const { request } = call
        const chosen = chosenIn(request)
        const secret = cookieOf(request, oidcCookie) ?? ''
        const back = { secret, search: `?${call.search}`, redirect_uri: redirectUri(request), chosen }
        try {
          const begun = await countedBefore(call, () => begin(call, 302, () => signIns.byOidc(back, deviceOf(call))))
          if ('choice' in begun) return found('/app/connexion?choix', oidcIs(begun.choice))
          return found(
            isOfField(begun.user.role) ? '/app/terrain/' : '/app/',
            sessionIs(begun.secret),
            noOidc,
            chosenIs(begun.user.id, chosen),
          )
        } catch (error) {
          return failed(call, error)
        }
      },
    },
    'oidc/choix': {
      async GET(call) {
        refuseCrossSite(call.request, consoleOrigin)
        const choice = cookieOf(call.request, oidcCookie) ?? ''
        return json(200, { success: true, data: await counted(call, () => sav.signIns.oidcCandidates(choice)) })
      },
      async POST(call) {
        const { request } = call
        const body = await bodyOf(call)
        const choice = cookieOf(request, oidcCookie) ?? ''
        return counted(call, () =>
          welcome(
            call,
            () => signIns.byOidcChoice(choice, body, deviceOf(call)),
            ({ id }) => [noOidc, chosenIs(id, chosenIn(request))],
          ),
        )
      },
    },
  }

  /** @throws Refusal for a key, which needs no passkey */
  async function person(call: SignInCall): Promise<Holder> {
    const holder = await call.holder()
    if (holder.session === null) throw new Refusal('unauthorized')
    return holder
  }

  const byPath = Object.entries(routes).map(([name, byMethod]) => {
    const answer = new Map(Object.entries(byMethod))
    return [`/app/session/${name}`, { answer, allow: ['OPTIONS', ...answer.keys()].sort().join(', ') }] as const
  })
  return { ...sessionHolders(sav, consoleOrigin), routes: new Map(byPath) }
}

/** The reason of a refused sign-in, in the words of `/app/connexion`. */
export const refusalsOnPage: Readonly<Record<SignInRefusedError['reason'], string>> = {
  refused: 'refuse',
  expired: 'expire',
  unknown_person: 'inconnu',
  provider_refused: 'fournisseur',
  email_missing: 'sans_adresse',
  email_unverified: 'non_verifiee',
  email_unvouched: 'non_garantie',
}
