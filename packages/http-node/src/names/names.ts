import { closeSync, openSync } from 'node:fs'
import { HostsFile } from './hosts-file.js'
import { askNameServers, type FoundAddresses, NameServersError } from './name-servers.js'
import { candidatesOf, searchRulesOf } from './resolv-conf.js'
import { askSystem } from './system-resolver.js'
import { Turns } from './turns.js'

export interface NamesOptions {
  /** Name servers to ask, `127.0.0.1:5353`. Default: the system's. */
  readonly servers?: readonly string[] | undefined
  /** Paths of the system's files. Default: the usual ones. */
  readonly hostsFile?: string
  readonly resolvConf?: string
}

/** The caller of a look-up. */
export interface Asker {
  readonly account_id: string
  /** Ends the look-up, unless others of the account also wait for it. */
  readonly signal: AbortSignal
}

/** A look-up without an answer. */
export class NameNotFoundError extends Error {
  constructor(hostname: string, options?: ErrorOptions) {
    super(`no address for ${hostname}`, options)
    this.name = 'NameNotFoundError'
  }
}

/** The limit of a look-up with all its tries. It is shorter than an attempt. */
const lookUpMs = 4000

/** The turns of an account. They suffice for hundreds of names without an answer: 200 look-ups begin within 3 s. */
const turns = { atOnce: 16, slowMs: 250 }

/** The most cached names. */
const maxKept = 10_000

/** The longest time that an answer is cached. */
const maxKeptMs = 60_000

/** `getaddrinfo` and hosts files give no TTL. */
const systemTtlMs = 30_000
const hostsTtlMs = 1000

/**
 * While the name servers fail, a cached answer is used this much longer, and they are asked again at this interval (RFC
 * 8767).
 */
const staleMs = 60_000
const askAgainMs = 5000

interface Kept {
  readonly addresses: readonly string[]
  readonly keptUntil: number
  readonly staleUntil: number
}

interface UnderWay {
  readonly found: Promise<readonly string[]>
  readonly end: AbortController
  waiting: number
}

/**
 * The addresses of receivers, from the hosts file, the name servers and finally the system. Only the system needs a
 * thread. It is asked for one name at a time, so that a slow name delays no other work of the process. Each account has
 * its own turns. Answers are cached for their TTL, at most 10,000 names and a minute.
 */
export class Names {
  readonly #servers: readonly string[] | undefined
  readonly #hosts: HostsFile
  readonly #resolvConf: string
  readonly #turns = new Turns(turns)
  /** The oldest entry first. */
  readonly #kept = new Map<string, Kept>()
  readonly #underWay = new Map<string, UnderWay>()

  constructor({ servers, hostsFile = '/etc/hosts', resolvConf = '/etc/resolv.conf' }: NamesOptions = {}) {
    this.#servers = servers
    this.#hosts = new HostsFile(hostsFile)
    this.#resolvConf = resolvConf
  }

  /** A cached answer that need not be looked up yet. */
  fresh(hostname: string): readonly string[] | undefined {
    const kept = this.#kept.get(hostname)
    return kept !== undefined && performance.now() < kept.keptUntil ? kept.addresses : undefined
  }

  /** The result of the latest look-up, however old. */
  latest(hostname: string): readonly string[] | undefined {
    return this.#kept.get(hostname)?.addresses
  }

  /**
   * Rejects with the reason of the signal when that aborts.
   * @throws NameNotFoundError
   */
  async lookUp(hostname: string, { account_id, signal }: Asker): Promise<readonly string[]> {
    signal.throwIfAborted()
    const underWay = this.#join(hostname, account_id)
    const leave = () => {
      underWay.waiting -= 1
      if (underWay.waiting === 0) underWay.end.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await underWay.found
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  /** An account waits only for its own look-ups. */
  #join(hostname: string, account_id: string): UnderWay {
    const key = `${account_id} ${hostname}`
    const known = this.#underWay.get(key)
    if (known !== undefined && !known.end.signal.aborted) {
      known.waiting += 1
      return known
    }
    const end = new AbortController()
    const turn = { account_id, isFirst: this.#kept.has(hostname), signal: end.signal }
    const found = this.#turns
      .take(turn, async () => this.fresh(hostname) ?? this.#find(hostname, { account_id, end }))
      .finally(() => {
        if (this.#underWay.get(key) === begun) this.#underWay.delete(key)
      })
    const begun: UnderWay = { found, end, waiting: 1 }
    this.#underWay.set(key, begun)
    return begun
  }

  async #find(
    hostname: string,
    { account_id, end }: { readonly account_id: string; readonly end: AbortController },
  ): Promise<readonly string[]> {
    const { signal } = end
    const late = setTimeout(() => end.abort(new NameServersError(hostname)), lookUpMs)
    try {
      return this.#keep(hostname, await this.#ask(hostname, { account_id, signal }))
    } catch (cause) {
      const kept = this.#kept.get(hostname)
      const now = performance.now()
      if (leadsNowhere(cause) || kept === undefined || kept.staleUntil <= now)
        throw new NameNotFoundError(hostname, { cause: fileLimit() ?? cause })
      this.#kept.set(hostname, { ...kept, keptUntil: now + askAgainMs })
      return kept.addresses
    } finally {
      clearTimeout(late)
    }
  }

  async #ask(hostname: string, { account_id, signal }: Asker): Promise<FoundAddresses> {
    const listed = this.#hosts.addressesOf(hostname.replace(/\.$/, ''))
    if (listed !== undefined) return { addresses: listed, ttlMs: hostsTtlMs }
    let failure: NameServersError | null = null
    for (const candidate of candidatesOf(hostname, searchRulesOf(this.#resolvConf))) {
      const found = await askNameServers(candidate, { servers: this.#servers, signal }).catch((error: unknown) => {
        if (!(error instanceof NameServersError) || signal.aborted) throw error
        failure ??= error
        return null
      })
      if (found !== null) return found
    }
    // The system would ask the same servers, and block its thread for as long as they take.
    if (failure !== null) throw failure
    return { addresses: await askSystem(hostname, { account_id, signal }), ttlMs: systemTtlMs }
  }

  #keep(hostname: string, { addresses, ttlMs }: FoundAddresses): readonly string[] {
    const keptUntil = performance.now() + Math.min(ttlMs, maxKeptMs)
    this.#kept.delete(hostname)
    this.#kept.set(hostname, { addresses, keptUntil, staleUntil: keptUntil + staleMs })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest)
    return addresses
  }
}

const leadsNowhere = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOTFOUND'

/** The error if this process has no free file descriptor; null if it has one. Resolvers do not report this. */
function fileLimit(): unknown {
  try {
    closeSync(openSync('/dev/null', 'r'))
    return null
  } catch (error) {
    return error
  }
}
