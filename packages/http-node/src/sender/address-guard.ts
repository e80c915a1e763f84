import { isIP } from 'node:net'
import type { addressRule } from '@sav/core/adapter'
import { buildConnector } from 'undici'
import { NameNotFoundError } from '../names/names.js'
import { connectToFirst } from './first-connection.js'

/** The receiver's address is not allowed. */
export class AddressRefusedError extends Error {
  constructor() {
    super('address refused')
    this.name = 'AddressRefusedError'
  }
}

export interface ConnectorOptions {
  readonly isAllowed: ReturnType<typeof addressRule>
  readonly connectTimeoutMs: number
  /** The addresses of a name that was looked up before. */
  readonly addressesOf: (hostname: string) => readonly string[] | undefined
}

/**
 * Opens undici's connections, HTTP/1.1 only, to allowed addresses only. It checks exactly the address to which it
 * connects, since a second DNS answer may differ.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { isAllowed, connectTimeoutMs, addressesOf } = options
  const connectTls = buildConnector({ allowH2: false, timeout: connectTimeoutMs })
  return (target, callback) => {
    const isTls = target.protocol === 'https:'
    const host = target.hostname.replace(/^\[|\]$/g, '')
    const found = isIP(host) === 0 ? addressesOf(host) : [host]
    if (found === undefined) return process.nextTick(callback, new NameNotFoundError(host), null)
    const addresses = found.filter(isAllowed)
    if (addresses.length === 0) return process.nextTick(callback, new AddressRefusedError(), null)
    const port = Number(target.port || (isTls ? 443 : 80))
    connectToFirst({ addresses, port, timeoutMs: connectTimeoutMs }, (error, socket) => {
      if (error !== null || socket === null) callback(error ?? new Error('no connection'), null)
      else if (isTls) connectTls({ ...target, httpSocket: socket }, callback)
      else callback(null, socket)
    })
  }
}
