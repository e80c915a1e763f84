/** Why an attempt failed, as the history shows it, and what to do. */
interface Failure {
  /** Plain words that reveal nothing about our network. */
  readonly words: string
  readonly hint: string
}

const certificate =
  "The receiver's certificate is not valid, so nothing was sent: fix it there, then sav webhooks retry."
const mailServer =
  'Compare SAV_SMTP_URL with the settings of the mail server; then send failed letters with sav webhooks retry.'

/** Failures without an answer, by their codes. */
export const failures = {
  connection_refused: {
    words: 'connection refused',
    hint: 'Nothing listens there: is the receiver running, and is the port right?',
  },
  connection_closed: {
    words: 'the connection was closed before an answer',
    hint: 'Often a proxy in front of the receiver closes the connection, or the receiver crashed.',
  },
  connect_timeout: {
    words: 'timed out while connecting',
    hint: 'Nothing answers at that address: a firewall may block it, or the machine may be off.',
  },
  timeout: {
    words: 'timed out',
    hint: 'The receiver takes too long: let it answer before it processes the event, or raise SAV_WEBHOOK_TIMEOUT.',
  },
  host_unreachable: {
    words: 'the host cannot be reached',
    hint: 'There is no route to that machine: its network or ours is down.',
  },
  name_not_found: {
    words: 'could not resolve the host name',
    hint: 'The host name has no address: its DNS is down, or the URL has a typo (sav webhooks update ID --url …).',
  },
  tls_expired: { words: 'the TLS certificate has expired', hint: certificate },
  tls_not_yet_valid: {
    words: 'the TLS certificate is not valid yet',
    hint: 'Its validity begins later, or the clock of one of the two machines is wrong.',
  },
  tls_self_signed: { words: 'the TLS certificate is self-signed', hint: certificate },
  tls_incomplete_chain: {
    words: 'the TLS certificate chain is incomplete',
    hint: 'The receiver does not send its intermediate certificates (fullchain.pem), or its authority is private.',
  },
  tls_other_name: { words: 'the TLS certificate is for another host name', hint: certificate },
  tls_handshake: {
    words: 'the TLS handshake failed',
    hint: 'The other side has no TLS at that port, or no secure version: is the port right?',
  },
  proxy_refused: {
    words: 'the proxy could not open a connection',
    hint: 'The proxy of SAV_WEBHOOK_PROXY cannot or may not reach the receiver: its own log says why.',
  },
  not_http: {
    words: 'the answer is not HTTP',
    hint: 'Something other than a web server answers there: is the port right?',
  },
  headers_too_long: {
    words: 'the headers of the answer are too long',
    hint: 'The receiver answers with more than 16 KiB of headers: let it send fewer.',
  },
  address_refused: {
    words: 'the address is not allowed',
    hint: 'It is a private address: if intended, allow it in SAV_WEBHOOK_ALLOW_CIDRS.',
  },
  request_failed: {
    words: 'the request failed',
    hint: 'For details, look in the log of sav at the time that sav webhooks show gives.',
  },
  endpoint_removed: { words: 'endpoint removed', hint: 'The endpoint was removed: nothing is sent there any more.' },
  endpoint_disabled: {
    words: 'endpoint disabled for too long',
    hint: 'The delivery waited 30 days for its endpoint: run sav webhooks enable ID, then sav webhooks retry.',
  },
  handler_removed: { words: 'handler removed', hint: 'No process handles these events any more.' },
  mail_refused_credentials: {
    words: 'the mail server refused our credentials: check user and password of the SMTP URL',
    hint: mailServer,
  },
  mail_tls: {
    words: 'no TLS connection to the mail server: check its certificate and the options of the SMTP URL',
    hint: mailServer,
  },
  mail_timeout: {
    words: 'the mail server did not answer',
    hint: 'The mail server is slow or unreachable: see sav doctor.',
  },
  mail_name_not_found: { words: 'could not resolve the name of the mail server', hint: mailServer },
  mail_away: {
    words: 'the connection to the mail server failed',
    hint: 'The mail server is unreachable, or at another port: see sav doctor.',
  },
  mail_refused: {
    words: 'the mail server refused the mail',
    hint: 'Read the answer of the mail server, and check the address first.',
  },
  letter_no_email: { words: 'no e-mail address on file', hint: 'Add the address, then sav webhooks retry.' },
  letter_no_telephone: { words: 'no telephone number on file', hint: 'Add the number, then sav webhooks retry.' },
  letter_telephone_unusable: {
    words: 'the telephone number cannot be dialled',
    hint: 'Correct the number, then sav webhooks retry.',
  },
  letter_no_whatsapp: {
    words: 'the customer has not agreed to WhatsApp',
    hint: 'No action needed: the letter goes by e-mail.',
  },
  letter_erased: { words: 'the customer was erased', hint: 'No action needed: the address was erased too.' },
  letter_outdated: {
    words: 'the letter is out of date',
    hint: 'No action needed: a later letter has the current state.',
  },
  letter_subject_missing: {
    words: 'the subject of the letter no longer exists',
    hint: 'The store was restored, or the data erased: there is nothing to send.',
  },
  letter_user_gone: {
    words: 'the person is disabled, or has signed in since',
    hint: 'If they still need a link, invite them again.',
  },
  letter_interrupted: {
    words: 'unknown whether it arrived',
    hint: 'The process that was sending it ended: ask the customer before you retry.',
  },
} as const satisfies Readonly<Record<string, Failure>>

/** Why a letter is not sent, as a code. */
export type LetterFailure = Extract<NamedFailure, `letter_${string}`>

type NamedFailure = keyof typeof failures

/** Why an attempt failed, as a code: a name, or the HTTP status of a receiver's answer. */
export type FailureCode = NamedFailure | `status_${number}`

/** The code of an answer with `status`. */
export const answeredCode = (status: number): FailureCode => `status_${status}`

const isNamed = (code: string): code is NamedFailure => Object.hasOwn(failures, code)

/** The likely cause of a failure, and what to do; null if the words are enough. */
export function hintOfFailure(code: string): string | null {
  if (isNamed(code)) return failures[code].hint
  const [, status] = /^status_(\d{3})$/.exec(code) ?? []
  return status === undefined ? null : hintOfStatus(Number(status))
}

function hintOfStatus(status: number): string | null {
  if (status >= 300 && status < 400)
    return 'The receiver redirects, and redirects are never followed: set the new address with sav webhooks update ID --url.'
  if (status === 401 || status === 403)
    return 'The receiver rejects the signature: it has another secret, parses the body before the check, or its clock is wrong. sav webhooks verify explains a saved request.'
  if (status === 404 || status === 405) return 'The receiver has no such page: is the path of the URL right?'
  if (status === 410)
    return 'The receiver says that it is gone for good. If a delivery ends with 410, its endpoint is disabled.'
  if (status === 413) return 'The receiver accepts no body of this size: raise its limit.'
  if (status === 429)
    return 'The receiver limits its rate of requests. To send fewer at once, lower SAV_WEBHOOK_CONCURRENCY; retries follow the schedule.'
  if (status >= 500) return 'The receiver fails: its own log says why. Fix it, then sav webhooks retry.'
  return null
}
