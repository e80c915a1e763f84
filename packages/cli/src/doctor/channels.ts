import { connect } from 'node:net'
import type { Settings } from '../settings/settings.js'
import type { Findings } from './findings.js'

/** How long a mail server may take to greet. */
const smtpTimeoutMs = 3000

/** Ways by which reports reach people. */
export async function examineChannels(settings: Settings): Promise<Pick<Findings, 'facts' | 'warnings'>> {
  const { mail, whatsapp, tsaUrl } = settings
  const smtp = mail === null ? null : await smtpProblem(mail.url)
  return {
    facts: {
      email: mail === null ? 'not configured' : smtp === null ? 'reachable' : 'unreachable',
      whatsapp: whatsapp === null ? 'not configured' : 'configured',
      timestamps: tsaUrl === null ? 'not configured' : 'configured',
    },
    warnings: smtp === null ? [] : [`The mail server of SAV_SMTP_URL cannot be reached: ${smtp}.`],
  }
}

/** Null when it accepts a connection; credentials are not tried. */
function smtpProblem(url: string): Promise<string | null> {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ host, port: Number(port) || (protocol === 'smtps:' ? 465 : 587) })
  return new Promise<string | null>((resolve) => {
    socket.once('connect', () => resolve(null))
    // Where a name has several addresses, the message is empty.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.message || (error.code ?? 'no connection')))
    socket.setTimeout(smtpTimeoutMs, () => resolve(`no connection within ${smtpTimeoutMs / 1000} s`))
  }).finally(() => socket.destroy())
}
