import { companyName, failures, refuseOwnLimit } from '@sav/core/adapter'
import type { Carrier, Letter, SendResult } from '@sav/core/ports'
import { createTransport } from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import { frenchDates } from './french.js'
import { mailText, oneLine } from './mail-text.js'
import { smtpServer } from './smtp-url.js'

/** The mail server, and the sender. */
export interface EmailOptions {
  /**
   * `smtp://user:password@host:587` or `smtps://…`, with the options `requireTLS`, `ignoreTLS`, `name`,
   * `tls.servername` and `tls.rejectUnauthorized`.
   */
  readonly url: string
  /**
   * `service@example.com` or `Name <service@example.com>`. The sender name of the account, or else its company name,
   * replaces this name.
   */
  readonly from: string
  /** IANA time zone of the dates in the text. */
  readonly timeZone: string
  /** The time limit of a whole attempt, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number
  /** The maximum of open connections. Default: 5. Further mails wait, within their own time limit. */
  readonly connections?: number
}

/** A carrier that sends letters by SMTP. */
export interface EmailCarrier extends Carrier {
  /** Closes every connection; mails in progress fail. */
  close(): void
}

const keptCharacters = 16 * 1024

/**
 * Sends letters by SMTP over kept connections. A repetition has the same `Message-ID`, so that mailboxes recognise it.
 * @throws RangeError for a malformed URL or address, and for an unknown time zone
 */
export function createEmailCarrier(options: EmailOptions): EmailCarrier {
  const { timeoutMs = 30_000, connections = 5 } = options
  const dates = frenchDates(options.timeZone)
  const sender = senderOf(options.from)
  const stepMs = Math.min(timeoutMs, 10_000)
  const transport = createTransport({
    ...smtpServer(options.url),
    pool: true,
    maxConnections: connections,
    // If the server has closed a kept connection, the mail is sent once more on a new one.
    maxRequeues: 1,
    idleTimeout: 30_000,
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: timeoutMs,
    socketCloseTimeout: 1000,
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  async function send(letter: Letter): Promise<Verdict> {
    if (!oneAddress.test(letter.to))
      return { ...refused, error: 'the address is not a valid e-mail address', errorCode: 'mail_refused', final: true }
    const { societe } = letter
    const answersTo = societe.repondre_a ?? societe.email
    const { attachments, ...text } = mailText(letter, dates)
    try {
      const { response } = await transport.sendMail({
        ...text,
        from: {
          name: oneLine(societe.nom_expediteur ?? societe.raison_sociale ?? (sender.name || companyName(societe))),
          address: sender.address,
        },
        to: { name: '', address: letter.to },
        ...(answersTo !== null && oneAddress.test(answersTo) && { replyTo: answersTo }),
        messageId: `<${letter.id}@${sender.domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        attachments: attachments.map((attachment) => ({ ...attachment, content: Buffer.from(attachment.content) })),
        // The signal also closes the connection, which a slow server could otherwise keep open.
        signal: AbortSignal.timeout(timeoutMs - 50),
      })
      return { ok: true, status: statusIn(response), error: null, unreachable: false, response: kept(response) }
    } catch (error) {
      const met = smtpError(error)
      if (met.status === null) refuseOwnLimit(error, met.cause)
      return verdictOn(met, timeoutMs)
    }
  }

  return {
    timeoutMs,
    async carry(letter) {
      const startedAt = performance.now()
      const verdict = await send(letter)
      return { ...verdict, responseHeaders: null, durationMs: Math.round(performance.now() - startedAt) }
    },
    close: () => transport.close({ force: true }),
  }
}

type Verdict = Omit<SendResult, 'durationMs' | 'responseHeaders'>

const refused = { ok: false, status: null, unreachable: false, response: null } as const

/** Exactly one address, without a list, a name or a header. */
const oneAddress = /^[^\s@,;:<>()[\]"\\\p{Cc}]+@[^\s@,;:<>()[\]"\\\p{Cc}]+$/u

function senderOf(from: string): { name: string; address: string; domain: string } {
  const [found, ...more] = addressparser(from)
  const address = found !== undefined && 'address' in found ? (found.address ?? '') : ''
  if (more.length > 0 || !oneAddress.test(address))
    throw new RangeError('the sender must be one e-mail address: service@example.com or Name <service@example.com>')
  return { name: found?.name ?? '', address, domain: address.slice(address.indexOf('@') + 1) }
}

interface SmtpError {
  readonly code: string
  /** The underlying code of Node.js. */
  readonly cause: string
  readonly command: string
  readonly status: number | null
  readonly response: string | null
}

function smtpError(error: unknown): SmtpError {
  const read = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined)
  const text = (name: string): string | null => {
    const value = read(name)
    return typeof value === 'string' ? value : null
  }
  const status = read('responseCode')
  return {
    code: text('code') ?? '',
    cause: text('originalCode') ?? '',
    command: text('command') ?? '',
    status: typeof status === 'number' ? status : null,
    response: text('response'),
  }
}

/** Answers that refuse our credentials, not the mail (RFC 4954 §6). */
const aboutCredentials = [432, 454, 530, 534, 535, 538]

const aboutTls = /CERT|SSL|TLS|SIGNATURE|^EPROTO$/

const failed = (errorCode: keyof typeof failures, more = '') => ({ error: failures[errorCode].words + more, errorCode })

const refusedWhat: Readonly<Record<string, string>> = {
  'MAIL FROM': 'the sender',
  'RCPT TO': 'the recipient',
  DATA: 'the message',
}

/** The outcome of an attempt, in words that reveal nothing about our credentials. */
function verdictOn({ code, cause, command, status, response }: SmtpError, timeoutMs: number): Verdict {
  if (code === 'EAUTH' || (status !== null && aboutCredentials.includes(status)))
    // The answer is not kept, since a server may repeat the credentials in it.
    return { ...refused, status, ...failed('mail_refused_credentials') }
  if (code === 'ETLS' || aboutTls.test(cause)) return { ...refused, status, ...failed('mail_tls'), unreachable: true }
  const answered = { ...refused, status, response: response === null ? null : kept(response) }
  if (status === null) return unanswered(code, timeoutMs)
  const what = refusedWhat[command]
  // The refused command came before the mail, such as EHLO.
  if (what === undefined)
    return { ...answered, error: `the mail server is not available: it answered ${status}`, errorCode: 'mail_away' }
  const refusedIt = { ...answered, errorCode: 'mail_refused' as const }
  if (status >= 500 && status !== 503)
    return { ...refusedIt, error: `the mail server refused ${what}: ${status}`, final: true }
  return { ...refusedIt, error: `the mail server refused ${what} for now: ${status}` }
}

function unanswered(code: string, timeoutMs: number): Verdict {
  switch (code) {
    case 'EENVELOPE':
      return {
        ...refused,
        error: 'the mail server does not support this address',
        errorCode: 'mail_refused',
        final: true,
      }
    case 'EABORT':
    case 'ETIMEDOUT':
      return { ...refused, ...failed('mail_timeout', ` within ${timeoutMs / 1000} s`), unreachable: true }
    case 'EDNS':
      return { ...refused, ...failed('mail_name_not_found'), unreachable: true }
    case 'ESOCKET':
    case 'ECONNECTION':
      return { ...refused, ...failed('mail_away'), unreachable: true }
    default:
      return { ...refused, error: 'the mail could not be sent', errorCode: 'mail_away' }
  }
}

const statusIn = (response: string): number | null => Number(/^\d{3}/.exec(response)?.[0]) || null

/** The last line of an answer, which contains the server's decision. */
const kept = (response: string): string =>
  (response.trim().split(/\r?\n/).at(-1) ?? '').slice(0, keptCharacters).replaceAll('\0', '\ufffd')
