import type { ApiRequest } from '@sav/http-node'
import { cookieOf, type Holder, Refusal, type SignIn, type SignInDeps, sessionCookie } from '@sav/http-node/feature'
import type { PeopleFeature } from '../people.js'
import type { SignedInCaller } from '../sessions/sessions.js'
import type { ConsoleOrigin } from './console-origin.js'
import { refuseCrossSite } from './cross-site.js'

type PeopleSav = SignInDeps<PeopleFeature>['sav']

/** A signed-in user, as a caller of the API. */
export function holderOfSession(sav: PeopleSav, { user, session, permissions }: SignedInCaller): Holder {
  const { account_id, id, nom, poseur_id } = user
  const actor = { account_id, type: 'utilisateur', id, nom, poseur_id } as const
  const person = () => sav.sessions.person(account_id, id)
  return { actor, id, permissions, expire_a: session.expire_a, key: null, session, person }
}

/** Callers by the session in their cookie. */
export const sessionHolders = (sav: PeopleSav, consoleOrigin: ConsoleOrigin): Omit<SignIn, 'routes'> => ({
  async holderOf(request: ApiRequest) {
    const secret = cookieOf(request, sessionCookie)
    if (secret === null) return null
    refuseCrossSite(request, consoleOrigin)
    const signedIn = await sav.sessions.authenticate(secret)
    // A phone that the office has ended must erase its data.
    if (signedIn === 'ended device') throw new Refusal('unauthorized', { headers: ['X-Sav-Device', 'ended'] })
    return signedIn && holderOfSession(sav, signedIn)
  },
  async holderStill(request: ApiRequest) {
    const secret = cookieOf(request, sessionCookie)
    const signedIn = secret === null ? null : await sav.sessions.check(secret)
    return signedIn && holderOfSession(sav, signedIn)
  },
})
