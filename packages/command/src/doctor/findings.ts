import type { EndpointWithHealth } from '@sav/core/adapter'
import type { ApiKeyRecord, EndpointRecord, ReplayJob } from '@sav/core/ports'
import type { FailedReport } from '@sav/storage-kysely/sqlite'
import { type ExitCode, exitCodes } from '../process/outcome.js'

/** The findings of the checks. A problem makes the doctor fail, a warning does not. */
export class Findings {
  readonly facts: Record<string, string | number | null> = {}
  readonly endpoints: DisabledEndpoint[] = []
  readonly receivers: TroubledReceiver[] = []
  readonly replays: RunningReplay[] = []
  readonly keys: ExpiringKey[] = []
  readonly reports: FailedReport[] = []
  readonly problems: string[] = []
  readonly warnings: string[] = []
  /**
   * Adds each warning. If there are more than ten, adds one sentence instead, which names the first ten.
   * @param each worst first
   * @param all the beginning of that one sentence
   */
  warnOf(each: readonly Warning[], all: (count: number) => string): void {
    if (each.length <= namedAtMost) this.warnings.push(...each.map(({ sentence }) => sentence))
    else {
      const names = each.slice(0, namedAtMost).map(({ name }) => name)
      this.warnings.push(`${all(each.length)} The first ${names.length}: ${names.join(', ')}.`)
    }
  }

  /** The exit code of the doctor if there are problems. */
  exitCode: ExitCode = exitCodes.failed
}

/** How many things of a kind are named in a sentence, or shown in a table. */
export const namedAtMost = 10

export interface Warning {
  /** The name of what the warning is about, such as the id of an endpoint. */
  readonly name: string
  readonly sentence: string
}

export type DisabledEndpoint = Pick<EndpointRecord, 'account_id' | 'id' | 'disabled_at' | 'disabled_reason'>
export type RunningReplay = Pick<ReplayJob, 'account_id' | 'id' | 'matched' | 'retried'>
/** An enabled endpoint that is unhealthy. */
export type TroubledReceiver = Pick<EndpointRecord, 'account_id' | 'id' | 'url'> & Pick<EndpointWithHealth, 'sante'>
type ExpiringKey = Pick<ApiKeyRecord, 'account_id' | 'id' | 'nom' | 'expires_at'>
