import { createService, type Service, type ServiceDeps, type WorkerEvent } from '@sav/core'
import type { Feature } from '@sav/core/feature'
import { consoleLogger, type Logger } from './api/api-deps.js'
import { checkUrlOf } from './links.js'
import { secureRandom, systemClock, systemLookUp } from './runtime.js'
import { createSender } from './sender/sender.js'
import { version } from './version.js'

type Reports = NonNullable<ServiceDeps['reports']>

/** The parts that Node provides. */
type NodePart = 'clock' | 'random' | 'http' | 'lookUp'

/**
 * `storage` and `secretKey` (32 bytes) are enough. Everything else has a default: the machine's clock, randomness and
 * resolver, a sender that refuses private addresses, the schedule of the specification, `Europe/Paris`, no limits.
 */
export interface SavOptions extends Omit<ServiceDeps, NodePart | 'reports'>, Partial<Pick<ServiceDeps, NodePart>> {
  /**
   * Draws reports, and sends letters. By default, reports show the check page of `publicUrl`, and chains of evidence
   * get no stamps. Without `reports`, none are drawn or sent.
   */
  readonly reports?: Pick<Reports, 'renderer' | 'carriers'> & Partial<Reports>
  /** Default: warnings and errors go to the console. */
  readonly logger?: Logger
}

/** The service on Node, with `features`: use cases, worker, and events for its host. */
export function createSav<const F extends readonly Feature[] = readonly []>({
  logger = consoleLogger,
  reports,
  ...options
}: SavOptions & { readonly features?: F }): Service<F[number]> {
  const { receivers = { allowLocal: false }, publicUrl = null } = options
  warnOfLetters(logger, options, Object.keys(reports?.carriers ?? {}))
  return createService<F>({
    clock: systemClock,
    random: secureRandom,
    lookUp: systemLookUp,
    http: options.http ?? createSender({ ...receivers, userAgent: `sav/${version}` }),
    observe: (event) => tell(logger, event),
    onFault: (err) => logger.error({ err }, 'the service failed unexpectedly'),
    ...(reports && { reports: { checkUrl: checkUrlOf(publicUrl), timestamper: null, ...reports } }),
    ...options,
  })
}

/** Warns of a channel without a carrier, unless another process sends, and of a carrier without a channel. */
function warnOfLetters(logger: Logger, { letters = [], sends = true }: SavOptions, carried: readonly string[]): void {
  const written: readonly string[] = letters
  const waiting = written.filter((name) => !carried.includes(name))
  const idle = carried.filter((name) => !written.includes(name))
  if (sends && waiting.length > 0)
    logger.warn({ channels: waiting }, 'letters wait in these channels: `reports.carriers` has no carrier for them')
  if (idle.length > 0) logger.warn({ channels: idle }, 'these carriers get no letters: `letters` does not name them')
}

function tell(logger: Logger, event: WorkerEvent): void {
  if (event.type === 'fault') {
    logger.error({ err: event.error, doing: event.doing }, 'the worker failed unexpectedly')
  } else if (event.type === 'endpoint_disabled') {
    const { id, account_id, disabled_reason } = event.endpoint
    logger.warn({ endpoint: id, account_id, reason: disabled_reason }, 'endpoint disabled')
  } else if (event.type === 'lease_lost') {
    logger.warn({ delivery: event.delivery_id }, 'outcome dropped: the lease of its delivery had run out')
  } else {
    const { id, event: kind, event_id, target } = event.delivery
    const { n, status, error } = event.outcome.attempt
    const { state } = event.outcome.update
    const line = { delivery: id, event: kind, event_id, target, attempt: n, status, error, state }
    if (state === 'failed') logger.warn(line, 'delivery failed')
    else logger.info(line, state === 'delivered' ? 'delivered' : 'attempt failed')
  }
}
