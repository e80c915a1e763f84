import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import * as z from 'zod'
import { CommandError } from './command-error.js'
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

const schema = z.object({
  SAV_DATABASE: setting(
    'sqlite:./sav-data/sav.db',
    'sqlite: and the path of a file, as in sqlite:./sav-data/sav.db',
    (text) => (/^sqlite:(?!:memory:).+$/.test(text) ? text.slice('sqlite:'.length) : undefined),
  ),
  SAV_AUTO_MIGRATE: onOff('1'),
  SAV_SECRET_KEY: setting('', '32 bytes in base64 (openssl rand -base64 32)', (text) =>
    text === '' ? null : parseSecretKey(text),
  ),
  SAV_SECRET_KEY_FILE: setting('', 'the path of a file', (text) => text),
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
  SAV_METRICS: setting('', 'HOST:PORT, such as 127.0.0.1:9464', (text) => (text === '' ? null : parseAddress(text))),
  SAV_LOG_LEVEL: setting('info', `one of ${logLevels.join(', ')}`, (text) => logLevels.find((level) => level === text)),
})

export type SettingName = keyof typeof schema.shape

export interface Settings {
  /** Absolute path of the SQLite file. */
  readonly database: string
  readonly autoMigrate: boolean
  /** The key itself, where a setting holds it; null: it is in `secretKeyFile`. */
  readonly secretKey: Uint8Array | null
  /** Absolute path. */
  readonly secretKeyFile: string
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
  const database = resolve(cwd, values.SAV_DATABASE)
  return {
    database,
    autoMigrate: values.SAV_AUTO_MIGRATE,
    secretKey: values.SAV_SECRET_KEY,
    secretKeyFile: resolve(cwd, values.SAV_SECRET_KEY_FILE || join(dirname(database), 'secret.key')),
    host: values.SAV_HOST,
    port: values.SAV_PORT,
    timeZone: values.SAV_TIME_ZONE,
    retrySchedule: values.SAV_RETRY_SCHEDULE,
    webhookTimeoutMs: values.SAV_WEBHOOK_TIMEOUT,
    allowLocalReceivers: values.SAV_WEBHOOK_ALLOW_LOCAL,
    allowedCidrs: values.SAV_WEBHOOK_ALLOW_CIDRS,
    webhookProxy: values.SAV_WEBHOOK_PROXY,
    metrics: values.SAV_METRICS,
    concurrency: values.SAV_WEBHOOK_CONCURRENCY,
    logLevel: values.SAV_LOG_LEVEL,
    inForce: schema.keyof().options.map((name) => {
      const { value, from } = found.get(name) ?? { value: defaultOf(name), from: 'default' }
      return { name, value: shown(name, value), from }
    }),
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
  const sentences = details.map(({ field, message }) => `${field}: ${message}`)
  return new CommandError('invalid_setting', sentences.join('\n'), { exitCode: exitCodes.usage, details })
}

/** A value fit for eyes: no key, and no password of an address. */
function shown(name: string, value: string): string {
  if (name === 'SAV_SECRET_KEY') return value === '' ? '' : `(hidden, ${value.length} characters)`
  return value.replace(/\/\/[^@/]*@/, '//***@')
}
