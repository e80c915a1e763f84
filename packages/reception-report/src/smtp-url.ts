/** The mail server, as options for nodemailer. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  readonly secure: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
  readonly requireTLS: boolean
  readonly ignoreTLS: boolean
  readonly name?: string
  readonly tls: { readonly servername?: string; readonly rejectUnauthorized: boolean }
}

const flags = ['requireTLS', 'ignoreTLS', 'tls.rejectUnauthorized']
const texts = ['name', 'tls.servername']

/**
 * Reads `smtp://user:password@host:587?requireTLS=true`, `smtps://…` (port 465).
 * @throws RangeError for anything else, without the URL, since it may contain a password
 */
export function smtpServer(url: string): SmtpServer {
  const parsed = URL.parse(url)
  if (parsed === null || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '')
    throw new RangeError('the SMTP URL must have the form smtp://user:password@host:587 or smtps://user:password@host')
  for (const [name, value] of parsed.searchParams) {
    if (texts.includes(name)) continue
    if (!flags.includes(name))
      throw new RangeError(`the SMTP URL has an unknown option ${name}; known: ${[...flags, ...texts].join(', ')}`)
    if (!/^(true|false)$/.test(value)) throw new RangeError(`option ${name} of the SMTP URL must be true or false`)
  }
  const option = (name: string) => parsed.searchParams.get(name)
  const secure = parsed.protocol === 'smtps:'
  const name = option('name')
  const servername = option('tls.servername')
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? (secure ? 465 : 587) : Number(parsed.port),
    secure,
    ...(parsed.username !== '' && { auth: { user: decoded(parsed.username), pass: decoded(parsed.password) } }),
    requireTLS: option('requireTLS') === 'true',
    ignoreTLS: option('ignoreTLS') === 'true',
    ...(name !== null && { name }),
    tls: {
      rejectUnauthorized: option('tls.rejectUnauthorized') !== 'false',
      ...(servername !== null && { servername }),
    },
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RangeError('user and password of the SMTP URL must be percent-encoded: write % as %25')
  }
}
