import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'

/** Whether a connection to this address may be opened. */
export type AddressRule = (ip: string) => boolean

/** The receiver's address is one that is not called. */
export class AddressRefusedError extends Error {
  constructor() {
    super('address refused')
    this.name = 'AddressRefusedError'
  }
}

/** IPv4-compatible addresses (RFC 4291 §2.5.5.1): on some hosts they lead to the IPv4 address inside. */
const compatible = new BlockList()
compatible.addSubnet('::', 96, 'ipv6')

/** True for the addresses of the open internet: neither ours, nor a neighbour's, nor reserved for anything else. */
export function isPublicAddress(ip: string): boolean {
  const family = isIP(ip)
  if (family === 0 || (family === 6 && compatible.check(ip, 'ipv6'))) return false
  return ipaddr.process(ip).range() === 'unicast'
}

/**
 * Opens undici's connections, HTTP/1.1 only, to allowed addresses only. The check is made on the address that is then
 * connected to, so that no second answer of a name server comes between: literals here, names in the look-up (undici
 * looks up names only).
 */
export function guardedConnector(isAllowed: AddressRule, connectTimeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ allowH2: false, timeout: connectTimeoutMs, lookup: filteredLookup(isAllowed) })
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) === 0 || isAllowed(host)) connect(options, callback)
    else process.nextTick(callback, new AddressRefusedError(), null)
  }
}

function filteredLookup(isAllowed: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '')
      const allowed = addresses.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (first === undefined) callback(new AddressRefusedError(), '')
      else if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}
