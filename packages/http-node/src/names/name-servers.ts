import type { RecordWithTtl } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** The addresses of a name: IPv6 and IPv4 alternately, IPv6 first (RFC 8305 §4). */
export interface FoundAddresses {
  readonly addresses: readonly string[]
  /** How long they may be cached. */
  readonly ttlMs: number
}

/** The name servers failed, or did not answer in time: the name may exist. */
export class NameServersError extends Error {
  constructor(hostname: string, options?: ErrorOptions) {
    super(`the name servers gave no valid answer for ${hostname}`, options)
    this.name = 'NameServersError'
  }
}

export interface NameServersOptions {
  /** Addresses with ports, `127.0.0.1:5353`. Default: the system's. */
  readonly servers?: readonly string[] | undefined
  /** Ends the look-up. */
  readonly signal: AbortSignal
}

/** How long to wait for a server's answer. Each further try waits twice as long. */
const firstTryMs = 500
const tries = 3

/**
 * How long to wait for the other family, once one has addresses (RFC 8305 §3). Longer for IPv4: with only IPv6
 * addresses, most machines reach nothing.
 */
const graceMs = { 4: 500, 6: 50 } as const

/** How long addresses are cached if the look-up of their IPv4 or IPv6 part failed. */
const partialTtlMs = 5000

/** The most addresses of a family that are cached and tried. */
const maxPerFamily = 8

/** The error codes of an unknown name, or of a machine without name servers. */
const nothingThere = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EREFUSED', 'ECONNREFUSED', 'ENOTIMP'])

/**
 * Asks the name servers for the addresses of one name, without a thread (c-ares). Resolves to null when the name has no
 * address.
 * @throws NameServersError
 */
export async function askNameServers(
  name: string,
  { servers, signal }: NameServersOptions,
): Promise<FoundAddresses | null> {
  // Each look-up has its own resolver, so that it uses the system's current servers and is cancelled separately.
  const resolver = new Resolver({ timeout: firstTryMs, tries })
  if (servers !== undefined) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  const waiting = new AbortController()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    signal.throwIfAborted()
    const asked4 = answerOf(resolver.resolve4(name, { ttl: true }))
    const asked6 = answerOf(resolver.resolve6(name, { ttl: true }))
    const [v4, v6] = await Promise.all([
      withGrace(asked4, { other: asked6, graceMs: graceMs[4], signal: waiting.signal }),
      withGrace(asked6, { other: asked4, graceMs: graceMs[6], signal: waiting.signal }),
    ])
    const records = inTurns(v6.records.slice(0, maxPerFamily), v4.records.slice(0, maxPerFamily))
    const failure = v4.failure ?? v6.failure
    if (records.length > 0) {
      const ttlMs = Math.min(...records.map(({ ttl }) => ttl * 1000), ...(failure === null ? [] : [partialTtlMs]))
      return { addresses: records.map(({ address }) => address), ttlMs }
    }
    if (failure !== null) throw new NameServersError(name, { cause: failure })
    return null
  } catch (cause) {
    throw cause instanceof NameServersError ? cause : new NameServersError(name, { cause })
  } finally {
    signal.removeEventListener('abort', cancel)
    waiting.abort()
    cancel()
  }
}

interface Answer {
  readonly records: readonly RecordWithTtl[]
  /** Why there is no answer; null if there is one, even an empty one. */
  readonly failure: unknown
}

const late: Answer = { records: [], failure: new Error('no answer yet') }

const answerOf = (asked: Promise<RecordWithTtl[]>): Promise<Answer> =>
  asked.then(
    (records) => ({ records, failure: null }),
    (error: NodeJS.ErrnoException) => ({ records: [], failure: nothingThere.has(error.code ?? '') ? null : error }),
  )

interface Grace {
  readonly other: Promise<Answer>
  readonly graceMs: number
  readonly signal: AbortSignal
}

/** The answer, or `late` if it does not come soon after the other family's addresses. */
async function withGrace(asked: Promise<Answer>, { other, graceMs, signal }: Grace): Promise<Answer> {
  const otherwise = other.then(async ({ records }) => {
    if (records.length === 0) return asked
    return delay(graceMs, late, { signal }).catch(() => late)
  })
  return Promise.race([asked, otherwise])
}

function inTurns<T>(one: readonly T[], other: readonly T[]): T[] {
  const length = Math.max(one.length, other.length)
  return Array.from({ length }, (_, index) => [...one.slice(index, index + 1), ...other.slice(index, index + 1)]).flat()
}
