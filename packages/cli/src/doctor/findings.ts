import type { EndpointWithHealth } from '@sav/core/internal'
import type { ApiKeyRecord, EndpointRecord, ReplayJob } from '@sav/core/ports'
import type { FailedReport } from '@sav/storage-kysely/sqlite'
import { type ExitCode, exitCodes } from '../process/outcome.js'

/** What one look at the installation finds. A problem makes the doctor fail, a warning does not. */
export class Findings {
  readonly facts: Record<string, string | number | null> = {}
  readonly endpoints: DisabledEndpoint[] = []
  readonly receivers: TroubledReceiver[] = []
  readonly replays: RunningReplay[] = []
  readonly keys: ExpiringKey[] = []
  readonly reports: FailedReport[] = []
  readonly problems: string[] = []
  readonly warnings: string[] = []
  /** What the doctor ends with where there are problems. */
  exitCode: ExitCode = exitCodes.failed
}

export type DisabledEndpoint = Pick<EndpointRecord, 'account_id' | 'id' | 'disabled_at' | 'disabled_reason'>
export type RunningReplay = Pick<ReplayJob, 'account_id' | 'id' | 'matched' | 'retried'>
/** One that is enabled, and not as it should be. */
export type TroubledReceiver = Pick<EndpointRecord, 'account_id' | 'id' | 'url'> & Pick<EndpointWithHealth, 'sante'>
type ExpiringKey = Pick<ApiKeyRecord, 'account_id' | 'id' | 'nom' | 'expires_at'>
