import { parseIpRange } from '@sav/core/adapter'
import type { ApiRequest } from './exchange.js'

/** The headers in which a proxy may name the caller: X-Forwarded-For, or RFC 7239. */
export type ForwardedHeader = 'x-forwarded-for' | 'forwarded'

/**
 * The caller's address. It is the peer's or, if the peer is one of our proxies, that of the last hop in their header
 * that is not one of our proxies. Anybody can send such a header, so the entries before that hop are not trusted. Our
 * proxies write only `header` and pass the other header on unchecked, so the other is never read.
 * @param trusted addresses and CIDRs of our own proxies
 * @throws RangeError for a text that is neither
 */
export function callerIp(
  trusted: readonly string[],
  header: ForwardedHeader = 'x-forwarded-for',
): (request: ApiRequest) => string {
  const hopsOf = hopsIn[header]
  const ranges = trusted.map((text) => {
    const range = parseIpRange(text)
    if (range === undefined) throw new RangeError(`trustedProxies: ${text} is not an IP address or a CIDR`)
    return range
  })
  if (ranges.length === 0) return ({ ip }) => ip
  return (request) => {
    if (!isOurs(request.ip, ranges)) return request.ip
    const value = request.header(header)
    return value === undefined ? request.ip : nearest(request.ip, hopsOf(value), ranges)
  }
}

const isOurs = (ip: string, ranges: readonly NonNullable<ReturnType<typeof parseIpRange>>[]) =>
  ranges.some((range) => range.contains(ip))

function nearest(
  peer: string,
  hops: readonly string[],
  ranges: readonly NonNullable<ReturnType<typeof parseIpRange>>[],
): string {
  let known = peer
  for (const hop of hops.toReversed()) {
    const ip = addressOf(hop)
    if (ip === undefined) return known
    known = ip
    if (!isOurs(ip, ranges)) return ip
  }
  return known
}

const split = (list: string) => list.split(',').map((entry) => entry.trim())

/** The `for` of each element (RFC 7239 §4); an empty text for an element without one. */
function forwardedHops(header: string): string[] {
  return split(header).map((element) => {
    const [, quoted, token] = /(?:^|;)\s*for=(?:"([^"]*)"|([^;\s"]*))\s*(?:;|$)/i.exec(element) ?? []
    return quoted ?? token ?? ''
  })
}

const hopsIn: Readonly<Record<ForwardedHeader, (value: string) => string[]>> = {
  'x-forwarded-for': split,
  forwarded: forwardedHops,
}

/** `203.0.113.7`, `203.0.113.7:4711`, `[2001:db8::1]:4711`, `2001:db8::1`; undefined for a name or a pseudonym. */
function addressOf(hop: string): string | undefined {
  const [, v6, v4] = /^(?:\[([^\]]*)\](?::\w+)?|(\d+\.\d+\.\d+\.\d+)(?::\w+)?)$/.exec(hop) ?? []
  const text = (v6 ?? v4 ?? hop).replace(/^::ffff:(?=\d+\.)/i, '')
  return parseIpRange(text) === undefined || text.includes('/') ? undefined : text
}
