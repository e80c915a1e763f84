import { isZoneOrOffset } from '@sav/core/adapter'
import { isHttpUrl, isPlaceName, isUrl } from '../syntax/values.js'
import { parseDatabase, parseDirect } from './database-address.js'
import { parseFilePlace } from './file-place.js'
import { type Holds, setting } from './setting.js'
import {
  durationBetween,
  isCidr,
  isOrigin,
  listOf,
  orNull,
  parseAddress,
  parseConcurrency,
  parseOnOff,
  parsePort,
  parseSchedule,
  parseSecretKey,
  rateLimitOf,
  textThat,
} from './setting-values.js'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const forwardedHeaders = ['x-forwarded-for', 'forwarded'] as const

const anyText = orNull((text) => text)
/** Only https, since codes and tokens come from it; or http on this machine. */
const isIssuer = (text: string) =>
  isHttpUrl(text) && (text.startsWith('https:') || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(`${text}/`))

/** Any text; null: none. */
const text = <const Name extends string>(name: Name, allowed: string, holds: Holds = 'nothing secret') =>
  setting(name, { allowed, holds, parse: anyText })
/** A URL; null: none. @param of whose, such as `of a proxy` */
const url = <const Name extends string>(name: Name, of: string) =>
  setting(name, { allowed: `the http or https URL ${of}`, holds: 'address', parse: orNull(textThat(isHttpUrl)) })
const onOff = { allowed: '1 (on) or 0 (off)', parse: parseOnOff }

const cidrs = listOf(isCidr)
const allowedCidrs = 'addresses and CIDRs, such as 10.1.0.0/16,fd00::/8'

const placeNames = 'a name of letters, digits and _'

/** Every setting, in the order in which `sav doctor` shows them. */
export const declaredSettings = {
  database: setting('SAV_DATABASE', {
    fallback: 'sqlite:./sav-data/sav.db',
    allowed:
      'sqlite: and the path of a file, as in sqlite:./sav-data/sav.db, or postgres://USER:PASSWORD@HOST:PORT/NAME',
    holds: 'address',
    parse: parseDatabase,
  }),
  /** Where to listen, behind a pooler; empty: at the database itself. */
  databaseDirect: setting('SAV_DATABASE_DIRECT', {
    allowed: 'postgres://…, the server itself behind a pooler, or none',
    holds: 'address',
    parse: parseDirect,
  }),
  /** The store's schema, in a PostgreSQL database shared with another program; null: the first of the search path. */
  schema: setting('SAV_SCHEMA', { allowed: placeNames, parse: orNull(textThat(isPlaceName)) }),
  /** The prefix of its tables, in a SQLite file shared with another program; null: none. */
  prefix: setting('SAV_PREFIX', { allowed: placeNames, parse: orNull(textThat(isPlaceName)) }),
  /** Null: on SQLite only. */
  autoMigrate: setting('SAV_AUTO_MIGRATE', { allowed: '1 (on) or 0 (off)', parse: orNull(parseOnOff) }),
  /** The key itself, if a setting holds it; null: it is in `secretKeyFile`. */
  secretKey: setting('SAV_SECRET_KEY', {
    allowed: '32 bytes in base64 (openssl rand -base64 32)',
    holds: 'secret',
    parse: orNull(parseSecretKey),
  }),
  /** Null: beside the store. */
  secretKeyFile: text('SAV_SECRET_KEY_FILE', 'the path of a file'),
  /** For photos, signatures and reports; null: in the database. */
  files: setting('SAV_FILES', {
    allowed: 'the path of a directory, or s3://BUCKET/PREFIX',
    parse: orNull(parseFilePlace),
  }),
  /** Null: Amazon's. */
  s3Endpoint: url('SAV_S3_ENDPOINT', 'of an S3 server'),
  s3Region: setting('SAV_S3_REGION', {
    fallback: 'us-east-1',
    allowed: 'a region of the S3 server, such as eu-west-3',
    parse: textThat((text) => /^[\w-]+$/.test(text)),
  }),
  s3AccessKeyId: text('AWS_ACCESS_KEY_ID', 'a key of the S3 server', 'secret'),
  s3SecretAccessKey: text('AWS_SECRET_ACCESS_KEY', 'its secret', 'secret'),
  /** Null: the key is not a temporary one. */
  s3SessionToken: text('AWS_SESSION_TOKEN', 'what comes with a temporary key', 'secret'),
  host: setting('SAV_HOST', {
    fallback: '127.0.0.1',
    allowed: 'a host name or an IP address',
    parse: textThat((text) => /^[\w.:-]+$/.test(text)),
  }),
  port: setting('SAV_PORT', {
    fallback: '8080',
    allowed: 'a port from 1 to 65535, or 0 for any free one',
    parse: parsePort,
  }),
  /** How long a stopping service still answers while /readyz is 503. */
  drainMs: setting('SAV_DRAIN', {
    fallback: '0s',
    allowed: 'a duration from 0s to 60s',
    parse: durationBetween(0, 60_000),
  }),
  timeZone: setting('SAV_TIME_ZONE', {
    fallback: 'Europe/Paris',
    allowed: 'an IANA time zone, such as Europe/Paris',
    parse: textThat(isZoneOrOffset),
  }),
  /** Offsets after the event, in milliseconds. */
  retrySchedule: setting('SAV_RETRY_SCHEDULE', {
    fallback: '0s,30s,2m,10m,1h,6h',
    allowed: 'durations (ms, s, m, h, d) after the event, the first one 0s, none shorter than the one before it',
    parse: parseSchedule,
  }),
  webhookTimeoutMs: setting('SAV_WEBHOOK_TIMEOUT', {
    fallback: '5s',
    allowed: 'a duration from 100ms to 60s',
    parse: durationBetween(100, 60_000),
  }),
  /** How long letters on changes of an appointment wait for further changes. */
  rdvLetterDelayMs: setting('SAV_RDV_LETTER_DELAY', {
    fallback: '60s',
    allowed: 'a duration from 0s to 24h',
    parse: durationBetween(0, 24 * 3_600_000),
  }),
  allowLocalReceivers: setting('SAV_WEBHOOK_ALLOW_LOCAL', { fallback: '0', ...onOff }),
  concurrency: setting('SAV_WEBHOOK_CONCURRENCY', {
    fallback: '256,16',
    allowed: 'two whole numbers from 1 to 10000, in total and per endpoint, the second not above the first',
    parse: parseConcurrency,
  }),
  /** Allowed private receivers. */
  allowedCidrs: setting('SAV_WEBHOOK_ALLOW_CIDRS', { allowed: allowedCidrs, parse: cidrs }),
  /** The proxy of webhooks; null: none. */
  webhookProxy: url('SAV_WEBHOOK_PROXY', 'of a proxy'),
  /** Null: not set. */
  publicUrl: url('SAV_PUBLIC_URL', 'under which people reach this service'),
  /** The provider by which people sign in; null: none. */
  oidcIssuer: setting('SAV_OIDC_ISSUER', {
    allowed: 'the https URL of an OpenID Connect provider, or http on this machine',
    parse: orNull(textThat(isIssuer)),
  }),
  oidcClientId: text('SAV_OIDC_CLIENT_ID', 'the id of this service there'),
  oidcClientSecret: text('SAV_OIDC_CLIENT_SECRET', 'its secret there', 'secret'),
  /** Trusts a provider's addresses without a claim about their verification. */
  oidcTrustEmail: setting('SAV_OIDC_TRUST_EMAIL', { fallback: '0', ...onOff }),
  /** Proxies whose header names the caller's address. */
  trustedProxies: setting('SAV_TRUSTED_PROXIES', { allowed: allowedCidrs, parse: cidrs }),
  /** That header. */
  forwardedHeader: setting('SAV_FORWARDED_HEADER', {
    fallback: 'x-forwarded-for',
    allowed: `one of ${forwardedHeaders.join(', ')}`,
    parse: (text) => forwardedHeaders.find((name) => name === text.toLowerCase()),
  }),
  corsOrigins: setting('SAV_CORS_ORIGINS', {
    allowed: 'origins, such as https://app.example',
    parse: listOf(isOrigin),
  }),
  /** Null: limits are off. */
  rateLimit: setting('SAV_RATE_LIMIT', {
    fallback: 'reads=6000/min,writes=1200/min',
    allowed: 'reads=N/min,writes=N/min[,account-reads=N/min,account-writes=N/min] (each per s, min or h), or off',
    parse: rateLimitOf,
  }),
  smtpUrl: setting('SAV_SMTP_URL', {
    allowed: 'smtp://USER:PASSWORD@HOST:587 or smtps://USER:PASSWORD@HOST',
    holds: 'address',
    parse: orNull(textThat((text) => isUrl(text, ['smtp:', 'smtps:']))),
  }),
  mailFrom: text('SAV_MAIL_FROM', 'an address, such as service@example.com'),
  whatsappToken: text('SAV_WHATSAPP_TOKEN', 'the access token of a system user', 'secret'),
  whatsappPhoneId: setting('SAV_WHATSAPP_PHONE_ID', {
    allowed: 'the id of the sending number, digits',
    parse: orNull(textThat((text) => /^\d+$/.test(text))),
  }),
  whatsappTemplate: text('SAV_WHATSAPP_TEMPLATE', 'the name of the approved template, such as pv_reception'),
  /** The template of a kind of letters about appointments; null: such letters go only by e-mail. */
  whatsappConfirmation: text(
    'SAV_WHATSAPP_TEMPLATE_CONFIRMATION',
    'the name of the approved template, such as rdv_confirmation',
  ),
  whatsappAnnulation: text(
    'SAV_WHATSAPP_TEMPLATE_ANNULATION',
    'the name of the approved template, such as rdv_annulation',
  ),
  whatsappRappel: text('SAV_WHATSAPP_TEMPLATE_RAPPEL', 'the name of the approved template, such as rdv_rappel'),
  whatsappRetard: text('SAV_WHATSAPP_TEMPLATE_RETARD', 'the name of the approved template, such as rdv_retard'),
  /** Null: Meta's own. */
  whatsappApi: url('SAV_WHATSAPP_API', 'of the Graph API'),
  /** The URL of an authority that stamps the evidence; null: none does. */
  tsaUrl: url('SAV_TSA_URL', 'of an RFC 3161 authority'),
  /** The authorities whose stamps count; null: every stamp with a valid signature. */
  tsaCa: text('SAV_TSA_CA', 'certificates in PEM, or the path of a file with them'),
  /** Where the ends of the evidence chains are sent every day; null: nowhere. */
  evidenceAnchor: setting('SAV_EVIDENCE_ANCHOR', {
    allowed: 'the path of a file, or the http or https URL that takes them',
    holds: 'address',
    parse: orNull(textThat((text) => !text.includes('://') || isHttpUrl(text))),
  }),
  /** Provides the travel times of rounds; null: they are estimated from the distance. */
  osrmUrl: url('SAV_OSRM_URL', 'of an OSRM server'),
  /** Plans rounds; null: this process does. */
  vroomUrl: url('SAV_VROOM_URL', 'of a VROOM server'),
  /** Finds the coordinates of addresses; null: postal code and town locate them. */
  geocoderUrl: url('SAV_GEOCODER_URL', 'of a server with the shape of the French address API'),
  remoteUrl: url('SAV_URL', 'of a running service'),
  remoteKey: text('SAV_API_KEY', 'an API key of that service', 'secret'),
  /** The profile of `sav login`; null: none is named. */
  profile: text('SAV_PROFILE', 'the name of a profile: sav profiles'),
  /** Whether `serve` includes the console at /app. */
  console: setting('SAV_CONSOLE', { fallback: '1', ...onOff }),
  /** Where the metrics are served; null: nowhere. */
  metrics: setting('SAV_METRICS', {
    allowed: 'HOST:PORT, such as 127.0.0.1:9464',
    parse: orNull(parseAddress),
  }),
  logLevel: setting('SAV_LOG_LEVEL', {
    fallback: 'info',
    allowed: `one of ${logLevels.join(', ')}`,
    parse: (text) => logLevels.find((level) => level === text),
  }),
}

type DeclaredSettings = typeof declaredSettings

export type SettingKey = keyof DeclaredSettings
/** The name of a variable, such as `SAV_PORT`. */
export type SettingName = DeclaredSettings[SettingKey]['variable']['name']

/** Settings that only make sense together. */
export const settingGroups = [
  { needed: ['smtpUrl', 'mailFrom'], optional: [] },
  { needed: ['oidcIssuer', 'oidcClientId', 'oidcClientSecret'], optional: [] },
  {
    needed: ['whatsappToken', 'whatsappPhoneId', 'whatsappTemplate'],
    optional: ['whatsappApi', 'whatsappConfirmation', 'whatsappRappel', 'whatsappRetard'],
  },
] as const satisfies readonly Record<'needed' | 'optional', readonly SettingKey[]>[]
