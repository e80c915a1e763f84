import ipaddr from 'ipaddr.js'

/** The lengths of a prefix before an embedded IPv4 address (RFC 6052 §2.2). */
const prefixLengths: readonly number[] = [48, 56, 64, 96]

export const isNat64Length = (bits: number): boolean => prefixLengths.includes(bits)

const wellKnown = ipaddr.IPv6.parse('64:ff9b::')
/** RFC 8215: within this range, a network chooses its own prefix and its length. */
const local = ipaddr.IPv6.parse('64:ff9b:1::')

/**
 * The IPv4 addresses that a NAT64 may derive from an IPv6 address. For a local prefix there are several, one for each
 * possible length; empty when all are impossible. Null for an address that no NAT64 translates.
 * @param localLength the length of the local prefix, if known
 */
export function behindNat64(ip: string, localLength?: number): string[] | null {
  if (!ipaddr.IPv6.isValid(ip) || ip.includes('%')) return null
  const address = ipaddr.IPv6.parse(ip)
  if (address.match(wellKnown, 96)) return [embeddedIn(address, 96)]
  if (!address.match(local, 48)) return null
  if (localLength !== undefined) return [embeddedIn(address, localLength)]
  // 0.0.0.0/8 is no destination, so a prefix of that length is impossible.
  return prefixLengths.map((length) => embeddedIn(address, length)).filter((found) => !found.startsWith('0.'))
}

/** Bits 64 to 71 are skipped, except after a prefix of 96 bits. */
function embeddedIn(address: ipaddr.IPv6, length: number): string {
  const bytes = address.toByteArray()
  const without = length === 96 ? bytes : bytes.toSpliced(8, 1)
  return without.slice(length / 8, length / 8 + 4).join('.')
}
