import type { ApiRequest } from '@sav/http-node'
import { cookieAttributes, cookieOf } from '@sav/http-node/feature'

/**
 * The cookie of a sign-in in progress: the person is at an identity provider, or has returned and chooses an account.
 */
export const oidcCookie = '__Host-sav-oidc'

/**
 * Ids of the users that this browser has signed in through a provider, latest first: a person with several accounts
 * chooses only once.
 */
export const chosenCookie = '__Host-sav-choix'

/** Value of a `Set-Cookie`. Lax, because the browser returns from another site. */
export const oidcIs = (secret: string): string =>
  `${oidcCookie}=${secret}; ${cookieAttributes}; SameSite=Lax; Max-Age=600`
export const noOidc = `${oidcCookie}=; ${cookieAttributes}; SameSite=Lax; Max-Age=0`

const maxChosen = 8

export const chosenIn = (request: ApiRequest): string[] =>
  (cookieOf(request, chosenCookie) ?? '').split('.').filter((id) => /^usr_\w{1,60}$/.test(id))

/** Lax, because it is needed when the browser returns. */
export const chosenIs = (id: string, before: readonly string[]): string =>
  `${chosenCookie}=${[...new Set([id, ...before])].slice(0, maxChosen).join('.')}; ${cookieAttributes}; SameSite=Lax; Max-Age=${365 * 86_400}`
export const noChosen = `${chosenCookie}=; ${cookieAttributes}; SameSite=Lax; Max-Age=0`
