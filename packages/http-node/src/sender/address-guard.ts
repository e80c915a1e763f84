import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressRule } from '@sav/core/internal'
import { buildConnector } from 'undici'

/** The receiver's address is one that is not called. */
export class AddressRefusedError extends Error {
  constructor() {
    super('address refused')
    this.name = 'AddressRefusedError'
  }
}

export interface ConnectorOptions {
  readonly isAllowed: AddressRule
  readonly connectTimeoutMs: number
  /** What resolves names; the system's resolver by default. */
  readonly lookup?: LookupFunction | undefined
}

/**
 * Opens undici's connections, HTTP/1.1 only, to allowed addresses only. The check is made on the address that is then
 * connected to, so that no second answer of a name server comes between: literals here, names in the look-up (undici
 * looks up names only).
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { isAllowed, connectTimeoutMs, lookup = systemLookup } = options
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    lookup: filtered(lookup, isAllowed),
  })
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) === 0 || isAllowed(host)) connect(target, callback)
    else process.nextTick(callback, new AddressRefusedError(), null)
  }
}

function filtered(lookup: LookupFunction, isAllowed: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found
      const allowed = addresses.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (first === undefined) callback(new AddressRefusedError(), '')
      else if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}
