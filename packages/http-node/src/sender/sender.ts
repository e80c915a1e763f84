import { isIP } from 'node:net'
import { addressRule, isRefusedHost, type ReceiverPolicy } from '@sav/core/adapter'
import type { HttpSender } from '@sav/core/ports'
import { Agent, type buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici'
import { Names } from '../names/names.js'
import { AddressRefusedError, guardedConnector } from './address-guard.js'
import { Attempt } from './attempt.js'
import { passingOverContinue } from './interim-answers.js'
import { throughProxy } from './proxy-tunnels.js'
import { RenewedAgent } from './renewed-agent.js'

/** The settings for sending webhooks. */
export interface SenderOptions extends ReceiverPolicy {
  /** Value of the `User-Agent` header. */
  readonly userAgent: string
  /** The allowed addresses, instead of `allowLocal` and `allowCidrs`. */
  readonly isAllowed?: ReturnType<typeof addressRule>
  /**
   * URL of an http proxy through which every connection is opened (CONNECT). The proxy itself may be anywhere. A
   * receiver whose URL contains an address is still checked here; names are resolved by the proxy, so refusing private
   * addresses behind names is the proxy's task.
   */
  readonly proxy?: string | null
  /** Concurrent connections to one origin; further attempts wait, within their deadline. Default: 256. */
  readonly maxConnectionsPerOrigin?: number
  /** Addresses of the name servers for receivers, `127.0.0.1:5353`. Default: the system's. */
  readonly nameServers?: readonly string[]
}

/** Bun replaces undici by its own module, which does not check the addresses of connections. */
const notOnBun =
  '@sav/http-node serves on Node and Deno: on Bun, nothing would check the addresses of receivers. Receiving webhooks works on Bun, with @sav/webhook-verify.'

/** How late an attempt may be ended. */
const tickMs = 50

/** How long a connection is kept. Within that time, a receiver that has moved is called at its new address. */
const maxConnectionAgeMs = 60_000

/** The time limit of a new connection, longer than any attempt that waits for it. */
const connectTimeoutMs = 10_000

/** The time limit of a connection to the proxy: shorter than an attempt, because undici ends it up to a second late. */
const proxyConnectTimeoutMs = 2000

/**
 * Posts with undici, over kept-alive connections that are closed when idle. Stop its users before you close it: calls
 * in progress fail.
 * @throws RangeError for a malformed CIDR or proxy
 * @throws Error on Bun
 */
export function createSender(options: SenderOptions): HttpSender {
  if (process.versions['bun'] !== undefined) throw new Error(notOnBun)
  const { userAgent, proxy = null } = options
  const isAllowed = options.isAllowed ?? addressRule(options)
  const names = new Names({ servers: options.nameServers })
  const agent = new RenewedAgent(agentMaker(options, { isAllowed, names }), { maxAgeMs: maxConnectionAgeMs })

  const underWay = new Set<Attempt>()
  let ticking: NodeJS.Timeout | undefined

  function tick(): void {
    const now = performance.now()
    for (const attempt of underWay) attempt.endIfLate(now)
    if (underWay.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }

  /** Begins to look up a host name; null if nothing has to be looked up. */
  function lookUp(hostname: string, account_id: string): NameLookUp | null {
    if (proxy !== null) {
      // The connector cannot check the address, since the proxy connects.
      if (isRefusedHost(hostname, isAllowed)) throw new AddressRefusedError()
      return null
    }
    if (isIP(withoutBrackets(hostname)) !== 0 || names.fresh(hostname) !== undefined) return null
    const time = new AbortController()
    return { found: names.lookUp(hostname, { account_id, signal: time.signal }), end: () => time.abort() }
  }

  return {
    post({ account_id, url, headers, body, timeoutMs }) {
      return new Promise((resolve, reject) => {
        let lookingUp: NameLookUp | null = null
        const attempt = new Attempt(timeoutMs, (result) => {
          underWay.delete(attempt)
          lookingUp?.end()
          if (result instanceof Error) reject(result)
          else resolve(result)
        })
        underWay.add(attempt)
        ticking ??= setInterval(tick, tickMs)
        try {
          const { origin, hostname, pathname, search } = new URL(url)
          const sent = { ...headers, 'User-Agent': userAgent }
          const dispatch = () =>
            agent.dispatch({ origin, path: pathname + search, method: 'POST', headers: sent, body }, attempt)
          lookingUp = lookUp(hostname, account_id)
          if (lookingUp === null) dispatch()
          else lookingUp.found.then(() => underWay.has(attempt) && dispatch()).catch((error) => attempt.failBy(error))
        } catch (error) {
          attempt.failBy(error)
        }
      })
    },
    close() {
      for (const attempt of underWay) attempt.failBy(new Error('the sender is closed'))
      return agent.destroy()
    },
  }
}

interface NameLookUp {
  readonly found: Promise<unknown>
  readonly end: () => void
}

const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

interface AgentDeps {
  readonly isAllowed: ReturnType<typeof addressRule>
  readonly names: Names
}

function agentMaker(options: SenderOptions, { isAllowed, names }: AgentDeps): () => Dispatcher {
  const { proxy = null, maxConnectionsPerOrigin = 256 } = options
  const shared = {
    connections: maxConnectionsPerOrigin,
    allowH2: false,
    pipelining: 1,
    // Attempts have their own deadline: undici's timeouts fire up to a second late, and restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: maxConnectionAgeMs,
    factory: (origin: string | URL, { connect, ...given }: ConnectingOptions) =>
      new Pool(origin, { ...given, connect: passingOverContinue(connect) }),
  }
  if (proxy === null) {
    // All agents share one connector, since it keeps the TLS sessions.
    const connect = guardedConnector({ isAllowed, connectTimeoutMs, addressesOf: (name) => names.latest(name) })
    return () => new Agent({ ...shared, connect })
  }
  if (!/^https?:$/.test(URL.parse(proxy)?.protocol ?? '')) throw new RangeError('a proxy needs an http or https URL')
  const tls = { allowH2: false, timeout: connectTimeoutMs }
  const proxyTls = { allowH2: false, timeout: proxyConnectTimeoutMs }
  return () =>
    new ProxyAgent({
      ...shared,
      uri: proxy,
      proxyTunnel: true,
      proxyTls,
      requestTls: tls,
      // Without this limit, a proxy that never answers would block the calls through it for five minutes.
      clientFactory: (origin, given) =>
        new Pool(origin, { ...given, headersTimeout: connectTimeoutMs }).compose(throughProxy),
    })
}

/** The pool factory of an agent. */
interface ConnectingOptions extends Omit<Pool.Options, 'connect'> {
  readonly connect: buildConnector.connector
}
