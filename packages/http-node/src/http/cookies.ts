import type { ApiRequest } from './exchange.js'

/**
 * `__Host-`: only for this host, and only over https (or locally), so that no neighbouring host can set it (RFC
 * 6265bis).
 */
export const sessionCookie = '__Host-sav'

/**
 * The value of a cookie; null if the caller sends none, or more than one of that name. Only semicolons separate
 * cookies (RFC 6265 §5.4): a value may contain commas, and a neighbouring host's cookie may contain text like ours.
 */
export function cookieOf(request: ApiRequest, name: string): string | null {
  const given = (request.header('cookie') ?? '').split(/; */).filter((pair) => pair.startsWith(`${name}=`))
  const [only] = given
  return only === undefined || given.length > 1 ? null : only.slice(name.length + 1)
}

/** The attributes of each of our cookies: for the whole host, only over https, and not readable by scripts. */
export const cookieAttributes = 'Path=/; Secure; HttpOnly'

/** Value of a `Set-Cookie`. */
export const sessionIs = (secret: string): string =>
  `${sessionCookie}=${secret}; ${cookieAttributes}; SameSite=Strict; Max-Age=${30 * 86_400}`
/** The same on a phone. The cookie outlives the session, so that a phone can still learn that its session has ended. */
export const phoneIs = (secret: string): string =>
  `${sessionCookie}=${secret}; ${cookieAttributes}; SameSite=Strict; Max-Age=${400 * 86_400}`
const noSession = `${sessionCookie}=; ${cookieAttributes}; SameSite=Strict; Max-Age=0`

/** Headers of an answer that ends the caller's own session: the browser deletes the cookie, and its cached pages. */
export const signedOut: readonly string[] = ['Set-Cookie', noSession, 'Clear-Site-Data', '"cache"']
