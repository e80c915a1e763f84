import type { FailedReport } from '@sav/storage-kysely/sqlite'

/** What one look at the installation found. A problem makes the doctor fail, a warning does not. */
export interface Findings {
  readonly facts: Readonly<Record<string, string | number | null>>
  readonly endpoints: readonly DisabledEndpoint[]
  readonly replays: readonly RunningReplay[]
  readonly keys: readonly ExpiringKey[]
  readonly reports: readonly FailedReport[]
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
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

export interface ExpiringKey {
  readonly account_id: string
  readonly id: string
  readonly nom: string
  readonly expires_at: string
}

export const nothing: Findings = {
  facts: {},
  endpoints: [],
  replays: [],
  keys: [],
  reports: [],
  problems: [],
  warnings: [],
}
