import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type FieldProblem, parseRateLimit, type RateLimit } from '@sav/core'
import * as z from 'zod'
import { CommandError } from './command-error.js'
import { type DatabaseAddress, locate, parseDatabase, parseDirect, withoutPassword } from './database-address.js'
import { parseDuration } from './duration.js'
import { exitCodes } from './exit-codes.js'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Text in, value out; `allowed` is what the person is told when it does not parse. */
function setting<T>(fallback: string, allowed: string, parse: (text: string) => T | undefined) {
  return z
    .string()
    .default(fallback)
    .transform((text, context): T => {
      const value = parse(text)
      if (value !== undefined) return value
      context.addIssue({ code: 'custom', message: allowed })
      return z.NEVER
    })
}

const onOff = (fallback: '0' | '1') =>
  setting(fallback, '1 (on) or 0 (off)', (text) => (/^[01]$/.test(text) ? text === '1' : undefined))

function integerBetween(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

/** The offsets of the attempts, in milliseconds. */
function parseSchedule(text: string): number[] | undefined {
  const offsets = text.split(',').map((part) => parseDuration(part.trim()) ?? Number.NaN)
  const ascending = offsets.every((offset, index) => offset >= (offsets[index - 1] ?? 0))
  return ascending && offsets[0] === 0 && offsets.length <= 100 ? offsets : undefined
}

function parseConcurrency(text: string): { total: number; perTarget: number } | undefined {
  const [total, perTarget, ...rest] = text.split(',').map((part) => integerBetween(part.trim(), 1, 10_000))
  if (total === undefined || perTarget === undefined || rest.length > 0 || perTarget > total) return undefined
  return { total, perTarget }
}

/** `HOST:PORT`, an IPv6 address in brackets. */
function parseAddress(text: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, digits = ''] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d+)$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = integerBetween(digits, 0, 65_535)
  return host === undefined || port === undefined ? undefined : { host, port }
}

/** Addresses and CIDRs, as they were written. */
function parseCidrs(text: string): string[] | undefined {
  const cidrs = text.split(',').map((part) => part.trim())
  const valid = cidrs.every((cidr) => {
    const [address = '', bits, ...rest] = cidr.split('/')
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    return rest.length === 0 && integerBetween(bits ?? '0', 0, most) !== undefined
  })
  return valid ? cidrs : undefined
}

function parseTimeZone(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone && text
  } catch {
    return undefined
  }
}

/** 32 bytes from base64. */
export function parseSecretKey(text: string): Uint8Array | undefined {
  const key = Buffer.from(text, 'base64')
  return key.length === 32 && /^[A-Za-z0-9+/]{43}=?$/.test(text) ? key : undefined
}

/** A URL of one of these protocols, as it was written. */
const urlOf =
  (...protocols: string[]) =>
  (text: string) => {
    const url = text === '' ? undefined : URL.parse(text)
    if (url === undefined) return null
    return url !== null && protocols.includes(url.protocol) && url.hostname !== '' ? text : undefined
  }

/** Anything, or nothing. */
const freeText = (text: string) => (text === '' ? null : text)

/** `https://app.example`: a scheme, a host and no more. */
function parseOrigins(text: string): string[] | undefined {
  const origins = text.split(',').map((part) => part.trim())
  return origins.every((origin) => /^https?:/.test(origin) && URL.parse(origin)?.origin === origin)
    ? origins
    : undefined
}

function rateLimitOf(text: string): RateLimit | undefined {
  try {
    return parseRateLimit(text)
  } catch {
    return undefined
  }
}

const schema = z.object({
  SAV_DATABASE: setting(
    'sqlite:./sav-data/sav.db',
    'sqlite: and the path of a file, as in sqlite:./sav-data/sav.db, or postgres://USER:PASSWORD@HOST:PORT/NAME',
    parseDatabase,
  ),
  SAV_DATABASE_DIRECT: setting('', 'postgres://…, the server itself behind a pooler, or none', parseDirect),
  SAV_AUTO_MIGRATE: setting('', '1 (on) or 0 (off)', (text) =>
    text === '' ? null : /^[01]$/.test(text) ? text === '1' : undefined,
  ),
  SAV_SECRET_KEY: setting('', '32 bytes in base64 (openssl rand -base64 32)', (text) =>
    text === '' ? null : parseSecretKey(text),
  ),
  SAV_SECRET_KEY_FILE: setting('', 'the path of a file', (text) => text),
  SAV_FILES: setting('', 'the path of a directory', freeText),
  SAV_HOST: setting('127.0.0.1', 'a host name or an IP address', (text) =>
    /^[\w.:-]+$/.test(text) ? text : undefined,
  ),
  SAV_PORT: setting('8080', 'a port: 1 to 65535, or 0 for any free one', (text) => integerBetween(text, 0, 65_535)),
  SAV_TIME_ZONE: setting('Europe/Paris', 'an IANA time zone, such as Europe/Paris', parseTimeZone),
  SAV_RETRY_SCHEDULE: setting(
    '0s,30s,2m,10m,1h,6h',
    'durations (ms, s, m, h, d) after the event, the first one 0s, none shorter than the one before it',
    parseSchedule,
  ),
  SAV_WEBHOOK_TIMEOUT: setting('5s', 'a duration from 100ms to 60s', (text) => {
    const ms = parseDuration(text)
    return ms !== undefined && ms >= 100 && ms <= 60_000 ? ms : undefined
  }),
  SAV_WEBHOOK_ALLOW_LOCAL: onOff('0'),
  SAV_WEBHOOK_CONCURRENCY: setting(
    '256,16',
    'two whole numbers from 1 to 10000, in total and per endpoint, the second not above the first',
    parseConcurrency,
  ),
  SAV_WEBHOOK_ALLOW_CIDRS: setting('', 'addresses and CIDRs, such as 10.1.0.0/16,fd00::/8', (text) =>
    text === '' ? [] : parseCidrs(text),
  ),
  SAV_WEBHOOK_PROXY: setting('', 'the http or https URL of a proxy', (text) =>
    text === '' ? null : /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined,
  ),
  SAV_PUBLIC_URL: setting('', 'the http or https URL under which people reach this service', urlOf('http:', 'https:')),
  SAV_TRUSTED_PROXIES: setting('', 'addresses and CIDRs, such as 10.1.0.0/16,fd00::/8', (text) =>
    text === '' ? [] : parseCidrs(text),
  ),
  SAV_CORS_ORIGINS: setting('', 'origins, such as https://app.example', (text) =>
    text === '' ? [] : parseOrigins(text),
  ),
  SAV_RATE_LIMIT: setting(
    'reads=6000/min,writes=1200/min',
    'reads=N/min,writes=N/min (each per s, min or h), or off',
    rateLimitOf,
  ),
  SAV_SMTP_URL: setting('', 'smtp://USER:PASSWORD@HOST:587 or smtps://USER:PASSWORD@HOST', urlOf('smtp:', 'smtps:')),
  SAV_MAIL_FROM: setting('', 'an address, such as service@example.com', freeText),
  SAV_WHATSAPP_TOKEN: setting('', 'the access token of a system user', freeText),
  SAV_WHATSAPP_PHONE_ID: setting('', 'the id of the sending number, digits', (text) =>
    text === '' ? null : /^\d+$/.test(text) ? text : undefined,
  ),
  SAV_WHATSAPP_TEMPLATE: setting('', 'the name of the approved template, such as pv_reception', freeText),
  SAV_WHATSAPP_API: setting('', 'the http or https URL of the Graph API', urlOf('http:', 'https:')),
  SAV_TSA_URL: setting('', 'the http or https URL of an RFC 3161 authority', urlOf('http:', 'https:')),
  SAV_URL: setting('', 'the http or https URL of a running service', urlOf('http:', 'https:')),
  SAV_API_KEY: setting('', 'an API key of that service', freeText),
  SAV_METRICS: setting('', 'HOST:PORT, such as 127.0.0.1:9464', (text) => (text === '' ? null : parseAddress(text))),
  SAV_LOG_LEVEL: setting('info', `one of ${logLevels.join(', ')}`, (text) => logLevels.find((level) => level === text)),
})

export type SettingName = keyof typeof schema.shape

export interface Settings {
  readonly database: DatabaseAddress
  readonly autoMigrate: boolean
  /** The key itself, where a setting holds it; null: it is in `secretKeyFile`. */
  readonly secretKey: Uint8Array | null
  /** Absolute path. */
  readonly secretKeyFile: string
  /** Absolute path of the directory for photos, signatures and reports; null: they lie in the database. */
  readonly filesDirectory: string | null
  readonly host: string
  readonly port: number
  readonly timeZone: string
  readonly retrySchedule: readonly number[]
  readonly webhookTimeoutMs: number
  readonly allowLocalReceivers: boolean
  /** Private receivers that are meant. */
  readonly allowedCidrs: readonly string[]
  /** Where webhooks go through; null: straight to their receivers. */
  readonly webhookProxy: string | null
  /** Where people reach this service; null: nobody said. */
  readonly publicUrl: string | null
  /** Whose word on a caller's address is believed. */
  readonly trustedProxies: readonly string[]
  readonly corsOrigins: readonly string[]
  /** Null: limits are off. */
  readonly rateLimit: RateLimit
  /** Null: no e-mail is sent. */
  readonly mail: { readonly url: string; readonly from: string } | null
  /** Null: nothing is sent by WhatsApp. */
  readonly whatsapp: {
    readonly token: string
    readonly phoneId: string
    readonly template: string
    /** Null: Meta's own. */
    readonly api: string | null
  } | null
  /** Of an authority that stamps the evidence; null: none does. */
  readonly tsaUrl: string | null
  /** The service that commands on cases call; null: they work on the store. */
  readonly remote: { readonly url: string; readonly key: string } | null
  /** Where the metrics are served; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null
  readonly concurrency: { readonly total: number; readonly perTarget: number }
  readonly logLevel: (typeof logLevels)[number]
  /** Each setting as it was written and who wrote it, without secrets. */
  readonly inForce: readonly { readonly name: SettingName; readonly value: string; readonly from: string }[]
}

/** A setting that a flag may override; `flag` is its spelling, as `--port`. */
export interface SettingFlag {
  readonly name: SettingName
  readonly flag: string
  readonly value: string | undefined
}

interface Sources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where `.env` is looked for, and what relative paths are relative to. */
  readonly cwd: string
  readonly flags?: readonly SettingFlag[]
}

/**
 * Flag > environment > `.env` > default; an empty value counts as unset.
 * @throws CommandError naming every setting that does not parse, what was found and what is allowed
 */
export function readSettings({ env, cwd, flags = [] }: Sources): Settings {
  const dotenv = readDotenv(cwd)
  const found = new Map<string, { value: string; from: string }>()
  for (const name of Object.keys(schema.shape)) {
    const flag = flags.find((given) => given.name === name && given.value !== undefined)
    const candidates = [
      { value: flag?.value, from: flag?.flag ?? '' },
      { value: env[name], from: 'environment' },
      { value: dotenv[name], from: '.env' },
    ]
    for (const { value, from } of candidates) {
      if (value === undefined || (value === '' && from !== flag?.flag) || found.has(name)) continue
      found.set(name, { value, from })
    }
  }

  const parsed = schema.safeParse(Object.fromEntries([...found].map(([name, { value }]) => [name, value])))
  if (!parsed.success) throw badSettings(parsed.error, found)
  const values = parsed.data
  const problems = groupProblems(values)
  if (problems.length > 0) throw refused(problems)
  const database = locate(values.SAV_DATABASE, { cwd, direct: values.SAV_DATABASE_DIRECT })
  const autoMigrate = values.SAV_AUTO_MIGRATE ?? database.kind === 'sqlite'
  const keyFile = join(database.kind === 'sqlite' ? dirname(database.path) : 'sav-data', 'secret.key')
  return {
    database,
    autoMigrate,
    secretKey: values.SAV_SECRET_KEY,
    secretKeyFile: resolve(cwd, values.SAV_SECRET_KEY_FILE || keyFile),
    filesDirectory: values.SAV_FILES && resolve(cwd, values.SAV_FILES),
    host: values.SAV_HOST,
    port: values.SAV_PORT,
    timeZone: values.SAV_TIME_ZONE,
    retrySchedule: values.SAV_RETRY_SCHEDULE,
    webhookTimeoutMs: values.SAV_WEBHOOK_TIMEOUT,
    allowLocalReceivers: values.SAV_WEBHOOK_ALLOW_LOCAL,
    allowedCidrs: values.SAV_WEBHOOK_ALLOW_CIDRS,
    webhookProxy: values.SAV_WEBHOOK_PROXY,
    publicUrl: values.SAV_PUBLIC_URL,
    trustedProxies: values.SAV_TRUSTED_PROXIES,
    corsOrigins: values.SAV_CORS_ORIGINS,
    rateLimit: values.SAV_RATE_LIMIT,
    ...othersOf(values),
    tsaUrl: values.SAV_TSA_URL,
    metrics: values.SAV_METRICS,
    concurrency: values.SAV_WEBHOOK_CONCURRENCY,
    logLevel: values.SAV_LOG_LEVEL,
    inForce: schema.keyof().options.map((name) => {
      const fallback = name === 'SAV_AUTO_MIGRATE' ? String(Number(autoMigrate)) : defaultOf(name)
      const { value, from } = found.get(name) ?? { value: fallback, from: 'default' }
      return { name, value: shown(name, value), from }
    }),
  }
}

type Values = z.output<typeof schema>

/** Settings of which some make no sense without the others. */
const groups: readonly { readonly needed: readonly SettingName[]; readonly optional: readonly SettingName[] }[] = [
  { needed: ['SAV_API_KEY'], optional: ['SAV_URL'] },
  { needed: ['SAV_SMTP_URL', 'SAV_MAIL_FROM'], optional: [] },
  {
    needed: ['SAV_WHATSAPP_TOKEN', 'SAV_WHATSAPP_PHONE_ID', 'SAV_WHATSAPP_TEMPLATE'],
    optional: ['SAV_WHATSAPP_API'],
  },
]

function groupProblems(values: Values): FieldProblem[] {
  return groups.flatMap(({ needed, optional }) => {
    const given = [...needed, ...optional].filter((name) => values[name] !== null)
    if (given.length === 0) return []
    const missing = needed.filter((name) => values[name] === null)
    return missing.map((field) => ({ field, message: `is missing beside ${given.join(', ')}` }))
  })
}

function othersOf(values: Values): Pick<Settings, 'mail' | 'whatsapp' | 'remote'> {
  const { SAV_SMTP_URL: url, SAV_MAIL_FROM: from } = values
  const { SAV_WHATSAPP_TOKEN: token, SAV_WHATSAPP_PHONE_ID: phoneId, SAV_WHATSAPP_TEMPLATE: template } = values
  const { SAV_URL: service, SAV_API_KEY: key } = values
  return {
    remote: service === null || key === null ? null : { url: service, key },
    mail: url === null || from === null ? null : { url, from },
    whatsapp:
      token === null || phoneId === null || template === null
        ? null
        : { token, phoneId, template, api: values.SAV_WHATSAPP_API },
  }
}

/** What the working directory's `.env` says; nothing without one. */
export function readDotenv(cwd: string): Readonly<Record<string, string | undefined>> {
  const file = join(cwd, '.env')
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

function defaultOf(name: SettingName): string {
  return schema.shape[name].def.in.def.defaultValue
}

function badSettings(error: z.ZodError, found: ReadonlyMap<string, { value: string; from: string }>): CommandError {
  const details = error.issues.map(({ path, message }) => {
    const name = String(path[0])
    const { value = '', from = '' } = found.get(name) ?? {}
    const field = from.startsWith('--') ? from : name
    const where = from === '.env' ? ' in .env' : ''
    return { field, message: `found ${JSON.stringify(shown(name, value))}${where}; allowed: ${message}` }
  })
  return refused(details)
}

function refused(details: readonly FieldProblem[]): CommandError {
  const sentences = details.map(({ field, message }) => `${field}: ${message}`)
  return new CommandError('invalid_setting', sentences.join('\n'), { exitCode: exitCodes.usage, details })
}

const secrets = ['SAV_SECRET_KEY', 'SAV_WHATSAPP_TOKEN', 'SAV_API_KEY']

/** A value fit for eyes: no key, and no password of an address. */
function shown(name: string, value: string): string {
  if (secrets.includes(name)) return value === '' ? '' : `(hidden, ${value.length} characters)`
  return withoutPassword(value)
}
