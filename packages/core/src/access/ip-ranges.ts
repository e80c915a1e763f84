import ipaddr from 'ipaddr.js'

/** An address, or a CIDR, that callers or receivers may have. */
export interface IpRange {
  contains(ip: string): boolean
}

/**
 * Undefined for anything but a plain spelling: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`. Short and octal forms
 * mean something else than they seem to, and an IPv4 address is written as one, not mapped into IPv6.
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
