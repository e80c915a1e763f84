import { constants, fstatSync, openSync } from 'node:fs'
import { UnavailableError, type WorkerEvent } from '@sav/core'
import type { ApiCall, ApiFailure } from '@sav/http-node'
import { destination, pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { Settings } from '../settings/settings.js'
import { safeJson } from '../terminal/safe-text.js'
import { Repeats } from './repeats.js'

/** The log of a running service: JSON lines on standard error, never a secret, an address or a body. */
export interface Log {
  readonly say: (message: string, facts?: Readonly<Record<string, unknown>>) => void
  readonly warn: (message: string) => void
  readonly onCall: (call: ApiCall) => void
  readonly onFailure: (failure: ApiFailure) => void
  readonly onDelivery: (event: WorkerEvent) => void
  /** Resolves when every line is written, or its reader has stalled for too long. */
  close(): Promise<void>
}

/**
 * The most bytes that wait for the log's reader. Further lines are dropped, so that a slow reader cannot fill the
 * memory.
 */
const maxBufferBytes = 16 * 1024 * 1024

/**
 * Lines are gathered for this long, or up to this many characters, and then written at once. Each write wakes a thread,
 * which took 12 of the 190 µs of a delivery.
 */
const gatherMs = 10
const gatheredLength = 15 * 1024

/**
 * How long closing waits for a stalled reader of the log. Then the last lines are lost, since a service must end within
 * 10 s.
 */
const maxCloseMs = 400

const probes = new Set(['/healthz', '/readyz'])

const faults = {
  claim: 'cannot claim deliveries',
  send: 'cannot send a delivery',
  record: 'cannot record attempts',
  release: 'cannot release deliveries',
  follow_up: 'cannot follow up on outcomes',
  upkeep: 'upkeep failed',
} as const

/** An UnavailableError of the store is logged without its stack. */
const serializers = {
  err: (error: Error) =>
    error instanceof UnavailableError ? { type: error.name, message: error.message } : stdSerializers.err(error),
}

/**
 * Opens standard error so that writes do not wait for its reader. A pipe or a terminal is opened again: if the shared
 * one were set to be non-blocking, that would apply to all processes that share it, and any of them could undo it. A
 * socket cannot be opened again, and stays as Node has set it.
 */
function openStderr(): number {
  try {
    const found = fstatSync(2)
    if (!found.isFIFO() && !found.isCharacterDevice()) return 2
    return openSync('/dev/fd/2', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return 2
  }
}

export function openLog(level: Settings['logLevel']): Log {
  let isOver = false
  const stderr = destination({ fd: openStderr(), sync: false, maxLength: maxBufferBytes, retryEAGAIN: () => !isOver })
  // The reader of the log may end before the service does.
  stderr.on('error', () => {})
  // On exit, pino would retry its writes for as long as the reader stalls.
  stderr.flushSync = () => {}
  let gathered = ''
  let writing: NodeJS.Timeout | undefined
  const writeGathered = () => {
    clearTimeout(writing)
    writing = undefined
    if (gathered !== '') stderr.write(gathered)
    gathered = ''
  }
  // Lines are gathered here because the destination's own `minLength` loses a flush that is requested during a write.
  const gathering = {
    write(line: string) {
      // `safeJson`, because somebody may read the log at a terminal.
      gathered += safeJson(line)
      if (gathered.length >= gatheredLength) writeGathered()
      else writing ??= setTimeout(writeGathered, gatherMs)
    },
  }
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: name }) },
      serializers,
    },
    gathering,
  )
  const repeats = new Repeats(() => performance.now())

  return {
    say: (message, facts = {}) => logger.info(facts, message),
    warn: (message) => logger.warn(message),
    onCall({ time: _, ...call }) {
      // Successful health checks are so frequent that they would hide everything else. A row that sums up several calls
      // (`*`) is logged all the same.
      if (probes.has(call.endpoint) && call.status < 400 && call.ip !== '*') logger.debug(call, 'call')
      else logger.info(call, 'call')
    },
    onFailure: ({ error, ...call }) => logger.error({ ...call, err: error }, 'call failed'),
    onDelivery(event) {
      if (event.type === 'lease_lost') {
        logger.warn({ delivery: event.delivery_id }, 'outcome dropped: the lease of its delivery had run out')
        return
      }
      if (event.type === 'fault') {
        const { doing, error } = event
        const during = doing === 'upkeep' ? { job: event.job } : {}
        const heldBack = repeats.note(`${Object.values({ doing, ...during }).join(' ')} ${error}`)
        if (heldBack === null) return
        logger.error({ ...during, err: error, ...(heldBack > 0 && { repeated: heldBack }) }, faults[doing])
        return
      }
      if (event.type === 'endpoint_disabled') {
        const { id, account_id, disabled_reason } = event.endpoint
        logger.warn({ endpoint: id, account_id, reason: disabled_reason }, 'endpoint disabled')
        return
      }
      const { id, account_id, event: kind, event_id, target, channel } = event.delivery
      const { n, status, error, duration_ms } = event.outcome.attempt
      const { state, next_attempt_at } = event.outcome.update
      const line = {
        delivery: id,
        account_id,
        event: kind,
        event_id,
        channel,
        target,
        attempt: n,
        status,
        duration_ms,
        state,
      }
      if (state === 'delivered') logger.info(line, 'delivered')
      else if (state === 'pending') logger.info({ ...line, error, next_attempt_at }, 'attempt failed')
      else logger.warn({ ...line, error }, 'delivery failed')
    },
    close: () =>
      new Promise((resolve) => {
        // The log stays silent while attempts that were cut off still fail.
        logger.level = 'silent'
        writeGathered()
        const bound = setTimeout(() => {
          isOver = true
          resolve()
        }, maxCloseMs)
        stderr.once('close', () => {
          clearTimeout(bound)
          resolve()
        })
        stderr.end()
      }),
  }
}
