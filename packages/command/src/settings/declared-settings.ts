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
/** An https URL, because codes and tokens come from the issuer; http only on this machine. */
const isIssuer = (text: string) =>
  isHttpUrl(text) && (text.startsWith('https:') || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(`${text}/`))

/** A setting for any text. The value is null if it is not set. */
const text = <const Name extends string>(name: Name, allowed: string, holds: Holds = 'nothing secret') =>
  setting(name, { allowed, holds, parse: anyText })
/**
 * A setting for a URL. The value is null if it is not set.
 * @param of whose URL it is, such as `of a proxy`
 */
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
  /** The server on which to LISTEN, if `database` is a pooler; empty for `database` itself. */
  databaseDirect: setting('SAV_DATABASE_DIRECT', {
    allowed: 'postgres://… of the server behind a pooler, or none',
    holds: 'address',
    parse: parseDirect,
  }),
  /**
   * The store's schema, in a PostgreSQL database shared with another program; null for the first schema on the search
   * path.
   */
  schema: setting('SAV_SCHEMA', { allowed: placeNames, parse: orNull(textThat(isPlaceName)) }),
  /** The prefix of the store's tables, in a SQLite file shared with another program; null if they have none. */
  prefix: setting('SAV_PREFIX', { allowed: placeNames, parse: orNull(textThat(isPlaceName)) }),
  /** Whether a service migrates its store when it starts. Null means only on SQLite. */
  autoMigrate: setting('SAV_AUTO_MIGRATE', { allowed: '1 (on) or 0 (off)', parse: orNull(parseOnOff) }),
  /** The secret key itself, if a setting contains it; null if it is in `secretKeyFile`. */
  secretKey: setting('SAV_SECRET_KEY', {
    allowed: '32 bytes in base64 (openssl rand -base64 32)',
    holds: 'secret',
    parse: orNull(parseSecretKey),
  }),
  /** The file of the secret key; null for a file beside the store. */
  secretKeyFile: text('SAV_SECRET_KEY_FILE', 'the path of a file'),
  /** The place for photos, signatures and reports; null if they are kept in the database. */
  files: setting('SAV_FILES', {
    allowed: 'the path of a directory, or s3://BUCKET/PREFIX',
    parse: orNull(parseFilePlace),
  }),
  /** The S3 server; null for Amazon's. */
  s3Endpoint: url('SAV_S3_ENDPOINT', 'of an S3 server'),
  s3Region: setting('SAV_S3_REGION', {
    fallback: 'us-east-1',
    allowed: 'a region of the S3 server, such as eu-west-3',
    parse: textThat((text) => /^[\w-]+$/.test(text)),
  }),
  s3AccessKeyId: text('AWS_ACCESS_KEY_ID', 'a key of the S3 server', 'secret'),
  s3SecretAccessKey: text('AWS_SECRET_ACCESS_KEY', 'the secret of that key', 'secret'),
  /** The session token of a temporary key; null if the key is not temporary. */
  s3SessionToken: text('AWS_SESSION_TOKEN', 'the session token of a temporary key', 'secret'),
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
  /** How long a service that was asked to stop still answers calls while /readyz answers 503. */
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
  /** When attempts are made, in milliseconds after the event. */
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
  /** How long a letter about a changed appointment waits, in case there are further changes. */
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
  /** Private addresses to which webhooks may be sent. */
  allowedCidrs: setting('SAV_WEBHOOK_ALLOW_CIDRS', { allowed: allowedCidrs, parse: cidrs }),
  /** The proxy through which webhooks are sent; null if there is none. */
  webhookProxy: url('SAV_WEBHOOK_PROXY', 'of a proxy'),
  /** The URL at which people reach the service; null if it is not set. */
  publicUrl: url('SAV_PUBLIC_URL', 'at which people reach this service'),
  /** The OpenID Connect provider with which people sign in; null if there is none. */
  oidcIssuer: setting('SAV_OIDC_ISSUER', {
    allowed: 'the https URL of an OpenID Connect provider, or http on this machine',
    parse: orNull(textThat(isIssuer)),
  }),
  oidcClientId: text('SAV_OIDC_CLIENT_ID', 'the client id of this service at the provider'),
  oidcClientSecret: text('SAV_OIDC_CLIENT_SECRET', 'the client secret of this service at the provider', 'secret'),
  /** Whether to trust e-mail addresses from a provider that does not say whether it verified them. */
  oidcTrustEmail: setting('SAV_OIDC_TRUST_EMAIL', { fallback: '0', ...onOff }),
  /** Proxies that are trusted to name the caller's address in `forwardedHeader`. */
  trustedProxies: setting('SAV_TRUSTED_PROXIES', { allowed: allowedCidrs, parse: cidrs }),
  /** The header in which trusted proxies name the caller's address. */
  forwardedHeader: setting('SAV_FORWARDED_HEADER', {
    fallback: 'x-forwarded-for',
    allowed: `one of ${forwardedHeaders.join(', ')}`,
    parse: (text) => forwardedHeaders.find((name) => name === text.toLowerCase()),
  }),
  corsOrigins: setting('SAV_CORS_ORIGINS', {
    allowed: 'origins, such as https://app.example',
    parse: listOf(isOrigin),
  }),
  /** The rate limits of calls; null if they are off. */
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
    allowed: 'the id of the WhatsApp phone number to send from, digits only',
    parse: orNull(textThat((text) => /^\d+$/.test(text))),
  }),
  whatsappTemplate: text('SAV_WHATSAPP_TEMPLATE', 'the name of the approved template, such as pv_reception'),
  /** The template for confirmations of appointments. If a template is null, letters of its kind go only by e-mail. */
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
  /** The address of the WhatsApp API; null for Meta's own. */
  whatsappApi: url('SAV_WHATSAPP_API', 'of the Graph API'),
  /** The URL of the authority that puts time stamps on the evidence; null if there is none. */
  tsaUrl: url('SAV_TSA_URL', 'of an RFC 3161 authority'),
  /** Certificates of the authorities whose stamps are accepted; null to accept every stamp with a valid signature. */
  tsaCa: text('SAV_TSA_CA', 'certificates in PEM, or the path of a file with them'),
  /** Where the last entry of each evidence chain is sent every day; null if it is not sent. */
  evidenceAnchor: setting('SAV_EVIDENCE_ANCHOR', {
    allowed: 'the path of a file, or an http or https URL to which anchors are posted',
    holds: 'address',
    parse: orNull(textThat((text) => !text.includes('://') || isHttpUrl(text))),
  }),
  /** The server that provides the travel times of rounds; null if they are estimated from the distance. */
  osrmUrl: url('SAV_OSRM_URL', 'of an OSRM server'),
  /** The server that plans rounds; null if this process plans them. */
  vroomUrl: url('SAV_VROOM_URL', 'of a VROOM server'),
  /** The server that finds the coordinates of addresses; null if they are located by postal code and town. */
  geocoderUrl: url('SAV_GEOCODER_URL', 'of a server that works like the French address API'),
  remoteUrl: url('SAV_URL', 'of a running service'),
  remoteKey: text('SAV_API_KEY', 'an API key of that service', 'secret'),
  /** The name of a profile stored by `sav login`; null if none is given. */
  profile: text('SAV_PROFILE', 'the name of a profile: sav profiles'),
  /** Whether `serve` includes the console at /app. */
  console: setting('SAV_CONSOLE', { fallback: '1', ...onOff }),
  /** The address at which metrics are served; null if they are not served. */
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
