import type { FailedReport } from '@sav/storage-kysely/sqlite'

/** What one look at the installation finds. A problem makes the doctor fail, a warning does not. */
export class Findings {
  readonly facts: Record<string, string | number | null> = {}
  readonly endpoints: DisabledEndpoint[] = []
  readonly replays: RunningReplay[] = []
  readonly keys: ExpiringKey[] = []
  readonly reports: FailedReport[] = []
  readonly problems: string[] = []
  readonly warnings: string[] = []
}

export interface DisabledEndpoint {
  readonly account_id: string
  readonly id: string
  readonly disabled_at: string
  readonly disabled_reason: string | null
}

export interface RunningReplay {
  readonly account_id: string
  readonly id: string
  readonly matched: number
  readonly retried: number
}

interface ExpiringKey {
  readonly account_id: string
  readonly id: string
  readonly nom: string
  readonly expires_at: string
}
