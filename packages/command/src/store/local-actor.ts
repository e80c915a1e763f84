import { userInfo } from 'node:os'
import type { Actor } from '@sav/core'
import type { AuditCall } from '@sav/core/adapter'

/** The user of this computer, as the actor in the history of a case. */
export function cliActor(account_id: string): Actor {
  return { account_id, type: 'cli', id: null, nom: userName() }
}

/** The user of this computer, as the caller in an audit row. */
export const localCaller = (): string => `cli:${userName()}`

/**
 * The audit row of a command that wrote something. The user's name takes the place of an IP address.
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

/**
 * The user's name, and with sudo also the name of the user who called it. That name is only a hint, because anybody can
 * set the environment.
 */
function userName(): string {
  const name = systemName()
  const { SUDO_USER: sudoer = '' } = process.env
  return /^[\w.@-]{1,64}$/.test(sudoer) && sudoer !== name ? `${name} (sudo by ${sudoer})` : name
}

/** The name of this process's user. In a container, the user id may have no name. */
function systemName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
