import type { ApiRequest } from '@sav/http-node'

/** The origin of the sign-in pages; null if it is neither https nor local, since browsers then refuse the cookie. */
export type ConsoleOrigin = (request: ApiRequest) => string | null

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/** @param publicUrl the service's public URL; null: people can sign in only on this machine, at any port */
export function consoleOrigin(publicUrl: string | null): ConsoleOrigin {
  if (publicUrl !== null) {
    const { origin, protocol, host } = new URL(publicUrl)
    const known = protocol === 'https:' || loopback.test(host) ? origin : null
    return () => known
  }
  return (request) => {
    // Another name for this address (DNS rebinding) is not our origin.
    const host = (request.header('host') ?? URL.parse(request.target)?.host ?? '').toLowerCase()
    return loopback.test(host) ? `http://${host}` : null
  }
}
