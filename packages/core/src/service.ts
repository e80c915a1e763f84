import type { EventKind } from '@sav/webhook-verify'
import * as z from 'zod'
import type { Feature } from './composition.js'
import type { Channel } from './delivery/channel.js'
import { kindsWith } from './delivery/event-kinds.js'
import { type EventHandler, hostChannel, hostTarget } from './delivery/host-channel.js'
import { specifiedDelivery } from './delivery/retry-schedule.js'
import type { Worker } from './delivery/worker.js'
import { accountName } from './directory/accounts.js'
import { ConflictError, UnavailableError } from './errors.js'
import type { SavDeps } from './parts.js'
import { readiness } from './readiness.js'
import { createUseCases, type Sav } from './sav.js'
import { noteSecretKey } from './secret-key-check.js'
import type { Storage } from './storage.js'
import { lazily } from './values/lazily.js'
import { parse } from './values/validation.js'
import { createWorker, type WorkerDeps } from './worker.js'

/** What a storage reports about its schema. */
export interface MigrationStatus {
  /** Names of migrations that have not run yet. */
  pendingMigrations(): Promise<string[]>
  /** Names of a later release's migrations that have run, and with which this release cannot use the store. */
  newerMigrations(): Promise<string[]>
}

/**
 * The parts of `createUseCases` and `createWorker`; the worker shares the service's. By default `timeoutMs`, `schedule`
 * and `concurrency` are those of `specifiedDelivery`.
 */
export interface ServiceDeps
  extends Omit<SavDeps, 'storage'>,
    Pick<WorkerDeps, 'http' | 'reports' | 'jobs' | 'observe' | 'traceAttempt'>,
    Partial<Pick<WorkerDeps, 'timeoutMs' | 'schedule' | 'concurrency'>> {
  /** `close` leaves it open: its owner closes it. */
  readonly storage: Storage & Partial<MigrationStatus>
  /** False: this process only answers calls, and another one sends. Default: true. */
  readonly sends?: boolean
  /**
   * How long `close` waits for calls and attempts, in milliseconds. Interrupted attempts are made again. Default:
   * without limit.
   */
  readonly maxCloseMs?: number
}

/** A listener or server for calls. */
export interface ServerHandle {
  /** Accepts nothing more; resolves when the calls in progress have been answered. */
  close(): Promise<unknown>
}

/** The whole service in one process: the use cases, the worker, and events for its host. */
export type Service<F extends Feature = never> = Sav<F> & {
  /**
   * Passes events of these kinds, of every account, to a handler of the host with a permanent name. Call it before
   * `start`. From the first `start` on, each event is stored in the transaction of its change, and waits without limit
   * for a process with the handler. It goes to one process, at least once and in no promised order, with the schedule,
   * history and replay of webhooks; `data.event_id` identifies a repetition. The process started last decides the kinds.
   * @param name 1 to 63 lowercase letters, digits, `-` or `_`
   * @throws ValidationError for another name; Error for a taken one, for a kind of a feature that is not composed, or
   *   after `start`
   */
  on<Kind extends EventKind>(name: string, kinds: readonly Kind[], handler: EventHandler<Kind>): void
  /**
   * Ends a subscription of `on`, in every process. Waiting deliveries fail within a minute, with `handler removed` in
   * the history.
   */
  off(name: string): Promise<void>
  /**
   * Starts the background work, the worker, and finally `listen`, which `close` closes first. Adds the account
   * `default` to a store without accounts.
   * @throws Error when the store lacks migrations, is of a later release, or was created with another secret key; or
   *   the error of `listen`. Everything is then closed.
   */
  start(): Promise<void>
  start<L extends ServerHandle>(listen: () => Promise<L>): Promise<L>
  /** The check for probes: see readiness. */
  readonly ready: () => Promise<void>
  /** The state of the worker. Nothing is sent before `start`, or if another process sends. */
  readonly sending: Pick<Worker, 'heartbeat' | 'inFlight'>
  /**
   * Stops accepting calls, waits for running calls and attempts for at most `maxCloseMs`, stores the audit, and closes
   * the sender. Every step runs even if an earlier one fails; the first error is then the rejection. It may be called
   * more than once.
   */
  close(): Promise<void>
}

/** A handler's name has the form of an account's. */
const handlerName = lazily(() => z.object({ name: accountName() }))

/**
 * Creates a service. It opens and begins nothing before `start`.
 * @throws TypeError for a secret key that is not 32 bytes, RangeError for a time zone that the platform does not know,
 *   Error for a feature that needs another one, or whose tables the storage lacks
 */
export function createService<const F extends readonly Feature[] = readonly []>(
  deps: ServiceDeps & { readonly features?: F },
): Service<F[number]> {
  const { storage, clock, http, onFault = () => {}, sends = true, maxCloseMs } = deps
  const sendingDeps = { ...specifiedDelivery, ...deps }
  const { timeoutMs } = sendingDeps
  const sav = createUseCases<F>({ reportRenderer: deps.reports?.renderer ?? null, ...deps })
  const handlers = new Map<string, { readonly kinds: readonly EventKind[]; readonly channel: Channel }>()
  let worker: Worker | null = null
  let listening: ServerHandle | null = null
  let starting: Promise<unknown> | null = null
  let closing: Promise<void> | null = null

  async function open(listen?: () => Promise<ServerHandle>): Promise<ServerHandle | undefined> {
    await refuseOtherSchema(storage)
    await noteSecretKey(storage, deps)
    await addFirstAccount(sav)
    await storage.transaction(async (tx) => {
      for (const [target, { kinds }] of handlers) await tx.outbox.subscribe(target, kinds)
    })
    await sav.serving.start()
    if (sends) {
      const channels = Object.fromEntries([...handlers].map(([target, { channel }]) => [target, channel]))
      worker = createWorker({ ...sendingDeps, channels })
      worker.start()
    }
    listening = (await listen?.()) ?? null
    return listening ?? undefined
  }

  async function stop(): Promise<void> {
    sav.live.close()
    // Run every step, even if an earlier one failed.
    const answered = Promise.allSettled([listening?.close()]).then(async ([end]) => {
      await sav.serving.stop()
      if (end.status === 'rejected') throw end.reason
    })
    const ending = Promise.allSettled([answered, worker?.stop()])
    const ends = [...(await orAfter(ending, maxCloseMs)), ...(await Promise.allSettled([http.close()]))]
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  async function orAfter<T>(ends: Promise<T[]>, ms: number | undefined): Promise<T[]> {
    if (ms === undefined) return ends
    const late = Promise.withResolvers<T[]>()
    const cancel = clock.after(ms, () => late.resolve([]))
    return Promise.race([ends, late.promise]).finally(cancel)
  }

  const sending = {
    get heartbeat() {
      return worker?.heartbeat ?? 0
    },
    get inFlight() {
      return worker?.inFlight ?? 0
    },
  }

  const isReady = readiness({ storage, clock, timeoutMs, worker: sends ? sending : null })

  function start(): Promise<void>
  function start<L extends ServerHandle>(listen: () => Promise<L>): Promise<L>
  async function start(listen?: () => Promise<ServerHandle>): Promise<unknown> {
    if (starting !== null) throw new Error('The service has been started already.')
    starting = open(listen)
    try {
      return await starting
    } catch (error) {
      closing ??= stop()
      await closing
      throw error
    }
  }

  return {
    ...sav,
    on(name, kinds, handler) {
      const target = hostTarget(parse(handlerName, { name }).name)
      if (starting !== null) throw new Error(`The service has been started: call on('${name}', …) before start().`)
      if (handlers.has(target)) throw new Error(`There is already a handler named ${name}: choose another name.`)
      const composed = kindsWith(Object.keys(sav.events))
      const others = kinds.filter((kind) => !composed.includes(kind))
      if (others.length > 0)
        throw new Error(
          `No composed feature has ${others.join(', ')}: compose the feature that emits them, or leave them out of on('${name}', …).`,
        )
      const fault = (cause: unknown, delivery_id: string) =>
        onFault(new Error(`The handler ${name} failed for delivery ${delivery_id}.`, { cause }))
      handlers.set(target, { kinds, channel: hostChannel(kinds, handler, { clock, timeoutMs, fault }) })
    },
    async off(name) {
      const target = hostTarget(parse(handlerName, { name }).name)
      await storage.transaction((tx) => tx.outbox.subscribe(target, []))
    },
    start,
    async ready() {
      if (closing !== null) throw new UnavailableError('The service is closing.', { retryAfterSeconds: 5 })
      await isReady()
    },
    sending,
    async close() {
      await starting?.catch(() => {})
      closing ??= stop()
      await closing
    },
  }
}

async function refuseOtherSchema(storage: Partial<MigrationStatus>): Promise<void> {
  const newer = (await storage.newerMigrations?.()) ?? []
  if (newer.length > 0)
    throw new Error(`The store belongs to a later release (${newer.join(', ')}): use that release, or an older backup.`)
  const pending = (await storage.pendingMigrations?.()) ?? []
  if (pending.length > 0)
    throw new Error(`The store lacks the migrations ${pending.join(', ')}: call storage.migrate() before start().`)
}

/** An embedded service usually has one account. */
async function addFirstAccount(sav: Sav): Promise<void> {
  const account_id = 'default'
  if ((await sav.accounts.list()).length > 0) return
  await sav.accounts
    .add({ account_id, type: 'systeme', id: null, nom: 'start' }, account_id)
    .catch((error: unknown) => {
      // Another process was faster.
      if (!(error instanceof ConflictError)) throw error
    })
}
