import ipaddr from 'ipaddr.js'

/** One IP address or a CIDR, of callers or receivers. */
export interface IpRange {
  contains(ip: string): boolean
}

/**
 * Reads a range in a plain spelling: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`. Undefined for any other text.
 * Short and octal forms are refused, since they are easily misread. An IPv4 address must not be mapped into IPv6.
 */
export function parseIpRange(text: string): IpRange | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(address)
  if (rest.length > 0 || !(isV4 || (ipaddr.IPv6.isValid(address) && !address.includes('%')))) return undefined
  const range = ipaddr.parse(address)
  if (range instanceof ipaddr.IPv6 && range.isIPv4MappedAddress()) return undefined
  const width = isV4 ? 32 : 128
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= width)) return undefined

  return {
    contains(ip) {
      if (!ipaddr.isValid(ip)) return false
      const caller = ipaddr.process(ip)
      return caller.kind() === range.kind() && caller.match(range, bits === undefined ? width : Number(bits))
    },
  }
}

const within = (address: ipaddr.IPv4 | ipaddr.IPv6, cidrs: readonly string[]) =>
  cidrs.some((cidr) => parseIpRange(cidr)?.contains(address.toString()))

/** All assigned IPv6 addresses (RFC 4291 §2.4). NAT64 (see nat64.ts), `::/96` and later ranges are not included. */
const givenOut = ['2000::/3']

/**
 * Ranges that ipaddr.js wrongly considers public: IETF protocol assignments, with Teredo and benchmarking (RFC 2928);
 * documentation (RFC 9637); the host agent of Azure's virtual machines.
 */
const reserved = ['2001::/23', '3fff::/20', '168.63.129.16']

/** True for a public address: not local, not private, not reserved. */
export function isPublicAddress(ip: string): boolean {
  // The test needs the text, because ipaddr.js reads `::8.8.8.8` as if it were `::ffff:8.8.8.8`.
  const isDotted = ip.includes(':') && ip.includes('.')
  if (ip.includes('%') || !ipaddr.isValid(ip) || (isDotted && !/^[0:]*:ffff:/i.test(ip))) return false
  if (!ip.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(ip)) return false
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv6' && !within(address, givenOut)) return false
  return address.range() === 'unicast' && !within(address, reserved)
}
