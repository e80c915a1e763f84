import { connect } from 'node:net'
import { CommandError } from '../process/command-error.js'
import type { Settings } from '../settings/settings.js'
import { authorityOf } from '../store/stamp-verifier.js'
import type { Findings } from './findings.js'

/** How long a mail server may take to send its greeting. */
const smtpTimeoutMs = 3000

/** Checks the channels that send reports. */
export async function examineChannels(
  { facts, problems, warnings }: Findings,
  { mail, whatsapp, tsaUrl, tsaCa }: Settings,
): Promise<void> {
  const smtp = mail && (await smtpProblem(mail.url))
  facts['email'] = mail === null ? 'not configured' : smtp === null ? 'reachable' : 'unreachable'
  facts['whatsapp'] = whatsapp === null ? 'not configured' : 'configured'
  facts['timestamps'] = tsaUrl === null ? 'not configured' : 'configured'
  if (smtp !== null) warnings.push(`The mail server of SAV_SMTP_URL cannot be reached: ${smtp}.`)
  await authorityOf(tsaCa).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
    problems.push(error.message)
  })
}

/** Why a mail server accepts no connection; null if it does. Credentials are not tried. */
function smtpProblem(url: string): Promise<string | null> {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ host, port: Number(port) || (protocol === 'smtps:' ? 465 : 587) })
  return new Promise<string | null>((resolve) => {
    socket.once('connect', () => resolve(null))
    // If the host has several addresses, Node's error has no message, only a code.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.message || (error.code ?? 'no connection')))
    socket.setTimeout(smtpTimeoutMs, () => resolve(`no connection within ${smtpTimeoutMs / 1000} s`))
  }).finally(() => socket.destroy())
}
