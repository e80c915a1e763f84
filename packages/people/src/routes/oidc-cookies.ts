import type { ApiRequest } from '@sav/http-node'
import { cookieAttributes, cookieOf } from '@sav/http-node/feature'

/** The cookie of a sign-in under way: the person is at an identity provider, or is back and chooses an account. */
export const oidcCookie = '__Host-sav-oidc'

/** Ids of the people that this browser has signed in by a provider, latest first: a person with several accounts is asked once. */
export const chosenCookie = '__Host-sav-choix'

/** Value of a `Set-Cookie`. Lax: the browser comes back from another site. */
export const oidcIs = (secret: string): string =>
  `${oidcCookie}=${secret}; ${cookieAttributes}; SameSite=Lax; Max-Age=600`
export const noOidc = `${oidcCookie}=; ${cookieAttributes}; SameSite=Lax; Max-Age=0`

const maxChosen = 8

export const chosenIn = (request: ApiRequest): string[] =>
  (cookieOf(request, chosenCookie) ?? '').split('.').filter((id) => /^usr_\w{1,60}$/.test(id))

/** Lax, as it is needed when the browser comes back. */
export const chosenIs = (id: string, before: readonly string[]): string =>
  `${chosenCookie}=${[...new Set([id, ...before])].slice(0, maxChosen).join('.')}; ${cookieAttributes}; SameSite=Lax; Max-Age=${365 * 86_400}`
export const noChosen = `${chosenCookie}=; ${cookieAttributes}; SameSite=Lax; Max-Age=0`
