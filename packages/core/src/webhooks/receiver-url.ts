import ipaddr from 'ipaddr.js'
import { isPublicAddress, parseIpRange } from '../access/ip-ranges.js'
import { behindNat64, isNat64Length } from '../receivers/nat64.js'
import { type Reason, reason } from '../refusals/reason.js'

/** Which addresses a receiver may have: public ones, and the private ones listed here. */
export interface ReceiverPolicy {
  /** For local development: also accepts plain http and private addresses. */
  readonly allowLocal: boolean
  /** Allowed private receivers: addresses and CIDRs, `10.1.0.0/16`. */
  readonly allowCidrs?: readonly string[]
}

/** Whether a connection to this address may be opened. */
export type AddressRule = (ip: string) => boolean

/**
 * An address behind NAT64 is judged by its embedded IPv4 address. A CIDR that is a local NAT64 prefix,
 * `64:ff9b:1:fffe::/96`, only sets that prefix's length.
 * @throws RangeError for an invalid CIDR
 */
export function addressRule({ allowLocal, allowCidrs = [] }: ReceiverPolicy): AddressRule {
  if (allowLocal) return () => true
  const ranges = allowCidrs.map((cidr) => {
    const range = parseIpRange(cidr)
    if (range === undefined) throw new RangeError(`not an address or a CIDR: ${cidr}`)
    return { range, bits: Number(cidr.split('/')[1]) }
  })
  const isAllowed = (ip: string) => isPublicAddress(ip) || ranges.some(({ range }) => range.contains(ip))
  return (ip) => {
    const localPrefix = ranges.find(({ range, bits }) => isNat64Length(bits) && range.contains(ip))
    const embedded = behindNat64(ip, localPrefix?.bits)
    return embedded === null ? isAllowed(ip) : embedded.length > 0 && embedded.every(isAllowed)
  }
}

/**
 * True for a literal address that is not allowed, and for names that local networks resolve themselves (RFC 6761 §6.3).
 * @param hostname as in a URL, with an IPv6 address in brackets
 */
export function isRefusedHost(hostname: string, isAllowed: AddressRule): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(host)) return !isAllowed(host)
  return /(^|\.)localhost\.?$/i.test(host) && !isAllowed('127.0.0.1')
}

const maxLength = 2048

export const notPublic = reason('url_not_public')

/**
 * Why the URL cannot be a receiver; null if it can. Names are not looked up here: see receiver-name.ts, and the sender,
 * which checks each connection.
 */
export function receiverUrlProblem(value: string, policy: ReceiverPolicy): Reason | null {
  if (value.length > maxLength) return reason('text_too_long', { max: maxLength, found: value.length })
  if (!URL.canParse(value)) return reason('url_not_absolute')
  const url = new URL(value)
  if (url.username !== '' || url.password !== '') return reason('url_has_credentials')
  if (url.protocol !== 'https:' && !(policy.allowLocal && url.protocol === 'http:')) return reason('url_not_https')
  if (!isRefusedHost(url.hostname, addressRule(policy))) return null
  return notPublic
}
