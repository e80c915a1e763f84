import { networkInterfaces } from 'node:os'
import { isOwnLimit, OwnLimitError } from '@sav/core/adapter'
import { NameNotFoundError } from '../names/names.js'
import { ProxyAwayError } from './proxy-tunnels.js'

/** The limit of this process that made a connection or a look-up fail; null if it failed for another reason. */
export function ownLimitOf(error: unknown): OwnLimitError | null {
  if (error instanceof NameNotFoundError || error instanceof ProxyAwayError) return ownLimitOf(error.cause)
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return null
  if (!isOwnLimit(error.code)) return null
  // A machine without IPv6 reports this for addresses that it cannot reach.
  const isIpv6 = 'address' in error && String(error.address).includes(':')
  if (error.code === 'EADDRNOTAVAIL' && isIpv6 && !hasIpv6()) return null
  return new OwnLimitError(error.code, { cause: error })
}

const hasIpv6 = () =>
  Object.values(networkInterfaces()).some((all) =>
    all?.some(({ family, internal, address }) => family === 'IPv6' && !internal && !address.startsWith('fe80:')),
  )
