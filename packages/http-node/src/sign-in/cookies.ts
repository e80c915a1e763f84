import type { ApiRequest } from '../api/exchange.js'

/** `__Host-`: of this host alone, over https alone (or on this machine), so that no neighbour can set one (RFC 6265bis). */
export const sessionCookie = '__Host-sav'
/** Of a browser that is away at an identity provider. */
export const oidcCookie = '__Host-sav-oidc'

/** Null where there is none, or more than one. */
export function cookieOf(request: ApiRequest, name: string): string | null {
  const given = (request.header('cookie') ?? '').split(/[;,]\s*/).filter((pair) => pair.startsWith(`${name}=`))
  const [only] = given
  return only === undefined || given.length > 1 ? null : only.slice(name.length + 1)
}

const always = 'Path=/; Secure; HttpOnly'

/** Value of a `Set-Cookie`. */
export const sessionIs = (secret: string): string =>
  `${sessionCookie}=${secret}; ${always}; SameSite=Strict; Max-Age=${30 * 86_400}`
export const noSession = `${sessionCookie}=; ${always}; SameSite=Strict; Max-Age=0`

/** Lax: the browser comes back from another site. */
export const oidcIs = (secret: string): string => `${oidcCookie}=${secret}; ${always}; SameSite=Lax; Max-Age=600`
export const noOidc = `${oidcCookie}=; ${always}; SameSite=Lax; Max-Age=0`
