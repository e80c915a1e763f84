import type { ApiRequest } from './exchange.js'

/** `__Host-`: of this host alone, over https alone (or on this machine), so that no neighbour can set one (RFC 6265bis). */
export const sessionCookie = '__Host-sav'

/**
 * Null if there is none, or more than one. Semicolons alone stand between cookies (RFC 6265 §5.4): a value may hold
 * commas, and a neighbour's cookie may hold anything that looks like one of ours.
 */
export function cookieOf(request: ApiRequest, name: string): string | null {
  const given = (request.header('cookie') ?? '').split(/; */).filter((pair) => pair.startsWith(`${name}=`))
  const [only] = given
  return only === undefined || given.length > 1 ? null : only.slice(name.length + 1)
}

/** The attributes of each of our cookies: of the whole host, over https alone, out of reach of scripts. */
export const cookieAttributes = 'Path=/; Secure; HttpOnly'

/** Value of a `Set-Cookie`. */
export const sessionIs = (secret: string): string =>
  `${sessionCookie}=${secret}; ${cookieAttributes}; SameSite=Strict; Max-Age=${30 * 86_400}`
/** The same on a phone: longer than its session, so that a phone that was lost for a long time still learns of its end. */
export const phoneIs = (secret: string): string =>
  `${sessionCookie}=${secret}; ${cookieAttributes}; SameSite=Strict; Max-Age=${400 * 86_400}`
const noSession = `${sessionCookie}=; ${cookieAttributes}; SameSite=Strict; Max-Age=0`

/** Headers of an answer that ends the caller's own session: the browser deletes it, and its cached pages. */
export const signedOut: readonly string[] = ['Set-Cookie', noSession, 'Clear-Site-Data', '"cache"']
