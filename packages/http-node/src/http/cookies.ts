import type { ApiRequest } from './exchange.js'

/** `__Host-`: of this host alone, over https alone (or on this machine), so that no neighbour can set one (RFC 6265bis). */
export const sessionCookie = '__Host-sav'
/** The cookie of a sign-in under way: the person is at an identity provider, or is back and chooses an account. */
export const oidcCookie = '__Host-sav-oidc'

/** Ids of the people whom this browser was signed in as by a provider, latest first: a person with several accounts is asked once. */
export const chosenCookie = '__Host-sav-choix'

/**
 * Null where there is none, or more than one. Semicolons alone stand between cookies (RFC 6265 §5.4): a value may hold
 * commas, and that of a neighbour's cookie anything that looks like one of ours.
 */
export function cookieOf(request: ApiRequest, name: string): string | null {
  const given = (request.header('cookie') ?? '').split(/; */).filter((pair) => pair.startsWith(`${name}=`))
  const [only] = given
  return only === undefined || given.length > 1 ? null : only.slice(name.length + 1)
}

const always = 'Path=/; Secure; HttpOnly'

/** Value of a `Set-Cookie`. */
export const sessionIs = (secret: string): string =>
  `${sessionCookie}=${secret}; ${always}; SameSite=Strict; Max-Age=${30 * 86_400}`
/** The same on a phone: longer than its session, so that a phone that was lost for long still learns of its end. */
export const phoneIs = (secret: string): string =>
  `${sessionCookie}=${secret}; ${always}; SameSite=Strict; Max-Age=${400 * 86_400}`
const noSession = `${sessionCookie}=; ${always}; SameSite=Strict; Max-Age=0`

/** Headers of an answer with which the caller's own session has ended: the browser forgets it, and what it was shown. */
export const signedOut: readonly string[] = ['Set-Cookie', noSession, 'Clear-Site-Data', '"cache"']

/** Lax: the browser comes back from another site. */
export const oidcIs = (secret: string): string => `${oidcCookie}=${secret}; ${always}; SameSite=Lax; Max-Age=600`
export const noOidc = `${oidcCookie}=; ${always}; SameSite=Lax; Max-Age=0`

const maxChosen = 8

export const chosenIn = (request: ApiRequest): string[] =>
  (cookieOf(request, chosenCookie) ?? '').split('.').filter((id) => /^usr_\w{1,60}$/.test(id))

/** Lax, as it is needed when the browser comes back. */
export const chosenIs = (id: string, before: readonly string[]): string =>
  `${chosenCookie}=${[...new Set([id, ...before])].slice(0, maxChosen).join('.')}; ${always}; SameSite=Lax; Max-Age=${365 * 86_400}`
export const noChosen = `${chosenCookie}=; ${always}; SameSite=Lax; Max-Age=0`
