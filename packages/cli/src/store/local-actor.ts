import { userInfo } from 'node:os'
import type { Actor } from '@sav/core'
import type { AuditCall } from '@sav/core/internal'

/** The user of this computer, as the history of a case will tell it. */
export function cliActor(account_id: string): Actor {
  return { account_id, type: 'cli', id: null, nom: userName() }
}

/** The audit's row of a command that wrote: the user's name stands where a call has its address. */
export function commandCall(
  account_id: string | null,
  { command, startedAt }: { command: string; startedAt: number },
): AuditCall {
  return {
    time: startedAt,
    ip: `cli:${userName()}`,
    method: 'CLI',
    endpoint: command,
    key_id: null,
    user_id: null,
    account_id,
    status: 200,
    duration_ms: Date.now() - startedAt,
    request_id: `cli-${process.pid}-${startedAt}`,
  }
}

/** A container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
