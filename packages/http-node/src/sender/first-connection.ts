import { connect, type Socket } from 'node:net'
import { ownLimitOf } from './own-limits.js'

export interface ConnectionOptions {
  /** The addresses in the order in which they are tried; at least one. */
  readonly addresses: readonly string[]
  readonly port: number
  /** The time limit for all addresses together. */
  readonly timeoutMs: number
}

type Connected = (error: Error | null, socket: Socket | null) => void

/** How long an address is tried before the next one is tried in parallel (RFC 8305 §5). */
const headStartMs = 250

const socketOptions = {
  // These options are the same as in undici's own connector.
  highWaterMark: 64 * 1024,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
}

/**
 * Connects to the address that answers first. Each address is tried 250 ms after the previous one, or as soon as the
 * previous one has failed. Earlier attempts continue meanwhile, so that a slow address has the whole time. (Node.js
 * itself gives each address 250 ms.)
 */
export function connectToFirst({ addresses, port, timeoutMs }: ConnectionOptions, connected: Connected): void {
  const left = addresses.values()
  const opening = new Set<Socket>()
  const errors: NodeJS.ErrnoException[] = []
  let next: NodeJS.Timeout | undefined
  const late = setTimeout(() => end(Object.assign(new Error('no address answered'), { code: 'ETIMEDOUT' })), timeoutMs)

  const end = (error: Error | null, socket: Socket | null = null) => {
    clearTimeout(late)
    clearTimeout(next)
    for (const other of opening) if (other !== socket) other.removeAllListeners().destroy()
    connected(error, socket)
  }

  const tryNext = () => {
    clearTimeout(next)
    const { value: host } = left.next()
    if (host === undefined) {
      if (opening.size === 0) end(mostTelling(errors))
      return
    }
    const socket = connect({ host, port, ...socketOptions })
    const failed = (error: NodeJS.ErrnoException) => {
      opening.delete(socket)
      errors.push(error)
      tryNext()
    }
    opening.add(socket)
    socket.once('error', failed).once('connect', () => {
      socket.off('error', failed)
      end(null, socket)
    })
    next = setTimeout(tryNext, headStartMs)
  }
  tryNext()
}

/** The error to report: preferably one of our own limits; a missing route only if there is no other error. */
function mostTelling(errors: readonly NodeJS.ErrnoException[]): Error {
  const noWay = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL'])
  const telling =
    errors.find((error) => ownLimitOf(error) !== null) ?? errors.find(({ code = '' }) => !noWay.has(code)) ?? errors[0]
  return telling ?? new Error('no address to connect to')
}
