import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'

/** Limits of our process and machine, by system code, with their meaning and remedy. */
export const ownLimits = {
  EMFILE: 'this process has too many open files: raise its limit (LimitNOFILE of systemd, ulimit -n)',
  ENFILE: 'this machine has too many open files: raise fs.file-max',
  EADDRNOTAVAIL: 'this machine has no free port: widen net.ipv4.ip_local_port_range',
  EADDRINUSE: 'this machine has no free port: widen net.ipv4.ip_local_port_range',
  EAGAIN: 'this machine is short of memory for connections',
  ENOBUFS: 'this machine is short of memory for connections',
  ENOMEM: 'this machine is short of memory',
} as const satisfies Readonly<Record<string, string>>

/** The system code of one of our own limits. */
export type OwnLimit = keyof typeof ownLimits

/** Whether a code names a limit of this machine. */
export const isOwnLimit = (code: string): code is OwnLimit => Object.hasOwn(ownLimits, code)

/** One of our own limits prevented an attempt. The target is not at fault, and other targets may not be affected. */
export class OwnLimitError extends Error {
  readonly limit: OwnLimit

  constructor(limit: OwnLimit, options?: ErrorOptions) {
    super(`${limit}: ${ownLimits[limit]}`, options)
    this.name = 'OwnLimitError'
    this.limit = limit
  }
}

/**
 * @param code the code of the system call, if `error` has another one
 * @throws OwnLimitError if `error` means that a limit was reached before anything was sent
 */
export function refuseOwnLimit(error: unknown, code = textOf(error, 'code')): void {
  const hasBegun = ['read', 'write'].includes(textOf(error, 'syscall'))
  if (isOwnLimit(code) && !hasBegun) throw new OwnLimitError(code, { cause: error })
}

const textOf = (error: unknown, name: string): string => {
  const text: unknown = error instanceof Error ? Reflect.get(error, name) : undefined
  return typeof text === 'string' ? text : ''
}

/** The limit reached last, and when (an instant). */
export interface MetLimit {
  readonly limit: OwnLimit
  readonly at: string
}

const fact = 'own_limit'

/** The limit reached last; null if none was reached yet. */
export async function lastMetLimit({ facts }: Pick<Storage['reads'], 'facts'>): Promise<MetLimit | null> {
  const text = await facts.get(fact)
  return text === null ? null : JSON.parse(text)
}

/** Keeps the limit that a worker reached last, so that other processes can report it. */
export class OwnLimitRecord {
  readonly #storage: Storage
  readonly #clock: Pick<Clock, 'now'>
  #met: MetLimit | null = null

  constructor(storage: Storage, clock: Pick<Clock, 'now'>) {
    this.#storage = storage
    this.#clock = clock
  }

  /** Notes the limit in memory only, because it may also affect the store. */
  note(error: unknown): void {
    if (error instanceof OwnLimitError) this.#met = { limit: error.limit, at: toInstant(this.#clock.now()) }
  }

  /** Stores the note. If the store fails, the note stays in memory for the next call. */
  async keep(): Promise<void> {
    const met = this.#met
    if (met === null) return
    await this.#storage.transaction((tx) => tx.facts.set(fact, JSON.stringify(met)))
    if (this.#met === met) this.#met = null
  }
}
