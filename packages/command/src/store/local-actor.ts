import { userInfo } from 'node:os'
import type { Actor } from '@sav/core'
import type { AuditCall } from '@sav/core/adapter'

/** The user of this computer, as the history of a case shows it. */
export function cliActor(account_id: string): Actor {
  return { account_id, type: 'cli', id: null, nom: userName() }
}

/** That user, as the audit names callers. */
export const localCaller = (): string => `cli:${userName()}`

/**
 * The audit row of a command that wrote: the user's name replaces a call's address.
 * @param startedAt Unix time in milliseconds
 */
export function commandCall(
  account_id: string | null,
  { command, startedAt, target = null }: { command: string; startedAt: number; target?: string | null },
): AuditCall {
  return {
    time: startedAt,
    ip: localCaller(),
    method: 'CLI',
    endpoint: command,
    key_id: null,
    user_id: null,
    target,
    account_id,
    status: 200,
    duration_ms: Date.now() - startedAt,
    request_id: `cli-${process.pid}-${startedAt}`,
  }
}

/** With the user behind sudo: only a hint, because anybody can set the environment. */
function userName(): string {
  const name = systemName()
  const { SUDO_USER: sudoer = '' } = process.env
  return /^[\w.@-]{1,64}$/.test(sudoer) && sudoer !== name ? `${name} (sudo by ${sudoer})` : name
}

/** A container may run as a user id without a name. */
function systemName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
