import { dirname, join, resolve } from 'node:path'
import type { SavDeps } from '@sav/core'
import { isSharedByTenants, type RdvLetterKind } from '@sav/core/adapter'
import type { Feature } from '@sav/core/feature'
import type { FeatureRoutes } from '@sav/http-node/feature'
import type { FeatureTables } from '@sav/storage-kysely/feature'
import * as z from 'zod'
import { CommandError, type NamedProblem } from '../process/command-error.js'
import { type DatabaseAddress, locate, type PlaceInDatabase, withoutPassword } from './database-address.js'
import { declaredSettings, type SettingKey, type SettingName, settingGroups } from './declared-settings.js'
import { type FilePlace, locateFiles, type S3Access } from './file-place.js'
import { fileVariableOf, fromVariableOrFile } from './secret-files.js'
import { type PassedOver, withoutServiceLinks } from './service-links.js'
import { readSettingsFile, type SettingsFile, type SettingsFilePlaces } from './settings-file.js'
import { type UnknownSetting, unknownSettings } from './unknown-settings.js'

const schema = z.object(declaredSettings)
const keys: readonly SettingKey[] = schema.keyof().options

type Values = z.output<typeof schema>

/** zod does not compile the schema: settings are read only once, so that compiling would take longer than it saves. */
const atOnce = { jitless: true }

/** Settings derived from several declared ones, or from the working directory. */
interface ComposedSettings {
  /** Loads the features of the command. */
  readonly features: LoadFeatures
  readonly database: DatabaseAddress
  readonly autoMigrate: boolean
  /** An absolute path. */
  readonly secretKeyFile: string
  /** Where files are kept; null if they are kept in the database. */
  readonly files: FilePlace | null
  /** The access to an S3 server; null if no keys are set. */
  readonly s3: S3Access | null
  /** The mail server and the sender's address; null if no e-mail is sent. */
  readonly mail: { readonly url: string; readonly from: string } | null
  /** The access to WhatsApp; null if nothing is sent by WhatsApp. */
  readonly whatsapp: {
    readonly token: string
    readonly phoneId: string
    readonly template: string
    readonly api: string | null
    /** The templates of letters about appointments, by kind; kinds without one go only by e-mail. */
    readonly rdvTemplates: Readonly<Partial<Record<RdvLetterKind, string>>>
  } | null
  /** The OpenID Connect provider with which people sign in; null if there is none. */
  readonly oidc: {
    readonly issuer: string
    readonly clientId: string
    readonly clientSecret: string
    readonly allowHttp: boolean
    readonly trustEmail: boolean
  } | null
  /** The settings that name a service to call: see `remoteOf`. */
  readonly service: {
    readonly url: WrittenValue | null
    readonly key: string | null
    readonly profile: WrittenValue | null
  }
  /** The value of each setting as it was written, without secrets, and its source. */
  readonly inForce: readonly { readonly name: SettingName; readonly value: string; readonly from: string }[]
  /** The settings file that was read; null if there is none. */
  readonly file: SettingsFile | null
  /** Variables that look like settings, but are unknown and therefore ignored. */
  readonly unknown: readonly UnknownSetting[]
  /** Variables that have the name of a setting, but were set by Kubernetes for a service. */
  readonly passedOver: readonly PassedOver[]
}

/** What a feature adds to the service of a command. */
export interface LoadedFeature<F extends Feature = never> {
  /** Creates the feature from the settings. */
  readonly feature: (settings: Settings) => Feature
  readonly tables?: FeatureTables
  readonly routes?: FeatureRoutes<F>
  /** The sentences of the feature's refusals, by code. */
  readonly sentences?: Readonly<Record<string, string>>
  /** Dependencies that the feature provides to the core. */
  readonly deps?: (settings: Settings) => Pick<SavDeps, 'locate'>
}

/** Loads the features of the command; later calls return the same ones. */
export type LoadFeatures = () => Promise<readonly LoadedFeature[]>

/** A value as written, and its source: a flag, a variable or a file. */
export interface WrittenValue {
  readonly value: string
  readonly from: string
}

/** Declared settings that are only used through the settings derived from them. */
type Parts =
  | (typeof settingGroups)[number]['needed' | 'optional'][number]
  | 'databaseDirect'
  | 'schema'
  | 'prefix'
  | 'oidcTrustEmail'
  | 's3Endpoint'
  | 's3Region'
  | 's3AccessKeyId'
  | 's3SecretAccessKey'
  | 's3SessionToken'
  | 'remoteUrl'
  | 'remoteKey'
  | 'profile'

/** The parsed settings of the environment, the settings file and flags. */
export type Settings = ComposedSettings & Readonly<Omit<Values, keyof ComposedSettings | Parts>>

/** A setting that a flag may override; `flag` is its spelling, such as `--port`. */
export interface SettingFlag {
  readonly name: SettingName
  readonly flag: string
  readonly value: string | undefined
}

/** The sources of settings. Relative paths in them are relative to `cwd`. */
interface Sources extends SettingsFilePlaces {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly flags?: readonly SettingFlag[]
  /** Loads the features of the command. Default: no features. */
  readonly features?: LoadFeatures
}

/**
 * Reads the settings. A flag takes precedence over the environment, the environment over the settings file, and the
 * file over the default. An empty value counts as not set.
 * @throws CommandError that names every setting that does not parse, with its value and the allowed values
 */
export function readSettings({ env: given, flags = [], features = async () => [], ...places }: Sources): Settings {
  const { cwd } = places
  const known = keys.flatMap((key) => [declaredSettings[key].variable.name, fileVariableOf(key) ?? []].flat())
  const { env, passedOver } = withoutServiceLinks(given, known)
  const file = readSettingsFile(places)
  const found = findTexts({ env, cwd, flags, file })
  const parsed = schema.safeParse(Object.fromEntries([...found].map(([key, { value }]) => [key, value])), atOnce)
  if (!parsed.success) throw badSettings(parsed.error, found, file)
  const values = parsed.data
  const s3 = s3Of(values)
  const problems = [...groupProblems(values), ...s3Problems(values), ...oidcProblems(values)]
  if (problems.length > 0) throw refused(problems)
  const place = { schema: values.schema, prefix: values.prefix }
  const tables = async () => (await features()).flatMap(({ tables }) => tables ?? [])
  const database = locate(values.database, { cwd, direct: values.databaseDirect, tables, ...place })
  refuseMisplaced(database, place)
  const autoMigrate = values.autoMigrate ?? database.kind === 'sqlite'
  const keyFile = join(database.kind === 'sqlite' ? dirname(database.path) : 'sav-data', 'secret.key')
  return {
    ...values,
    features,
    database,
    autoMigrate,
    secretKeyFile: resolve(cwd, values.secretKeyFile ?? keyFile),
    files: values.files && locateFiles(values.files, { cwd, access: s3 }),
    s3,
    ...servicesOf(values),
    service: {
      url: whoSaid('remoteUrl', values.remoteUrl, found),
      key: values.remoteKey,
      profile: whoSaid('profile', values.profile, found),
    },
    file,
    unknown: unknownSettings({ env, file }, known),
    passedOver,
    inForce: keys.map((key) => {
      const { name, fallback } = declaredSettings[key].variable
      const inherent = key === 'autoMigrate' ? String(Number(autoMigrate)) : fallback
      const { value, from } = found.get(key) ?? { value: inherent, from: 'default' }
      return { name, value: shown(key, value), from }
    }),
  }
}

interface WrittenSettings extends Required<Pick<Sources, 'env' | 'cwd' | 'flags'>> {
  readonly file: SettingsFile | null
}

function findTexts({ env, cwd, flags, file }: WrittenSettings): ReadonlyMap<string, WrittenValue> {
  const found = new Map<string, WrittenValue>()
  for (const key of keys) {
    const { name } = declaredSettings[key].variable
    const flag = flags.find((given) => given.name === name && given.value !== undefined)
    const said = (from: string, variables: Sources['env']) => {
      const one = fromVariableOrFile(name, fileVariableOf(key), { variables, cwd })
      return one && { value: one.value, from: one.by === name ? from : `${one.by}, ${from}` }
    }
    // An empty flag counts as given: it was typed on purpose.
    const written =
      flag?.value === undefined
        ? (said('environment', env) ?? (file && said(file.name, file.variables)))
        : { value: flag.value, from: flag.flag }
    if (written !== null) found.set(key, written)
  }
  return found
}

/** @throws CommandError for a schema on SQLite, or a prefix on PostgreSQL */
function refuseMisplaced({ kind, name }: DatabaseAddress, { schema, prefix }: PlaceInDatabase): void {
  const refuse = (field: string, other: string) =>
    refused([{ field, message: `is not for ${name}. For a store beside another program's tables, use ${other}.` }])
  if (kind === 'sqlite' && schema !== null) throw refuse('SAV_SCHEMA', '--prefix')
  if (kind === 'postgres' && prefix !== null) throw refuse('SAV_PREFIX', '--schema')
}

function whoSaid(key: SettingKey, value: string | null, found: ReadonlyMap<string, WrittenValue>): WrittenValue | null {
  const { from = '' } = found.get(key) ?? {}
  return value === null ? null : { value, from: from.startsWith('--') ? from : declaredSettings[key].variable.name }
}

function groupProblems(values: Values): NamedProblem[] {
  const nameOf = (key: SettingKey) => declaredSettings[key].variable.name
  return settingGroups.flatMap(({ needed, optional }) => {
    const given = [...needed, ...optional].filter((key) => values[key] !== null)
    if (given.length === 0) return []
    const missing = needed.filter((key) => values[key] === null)
    const beside = given.map(nameOf).join(', ')
    return missing.map((key) => ({ field: nameOf(key), message: `is missing, and ${beside} needs it` }))
  })
}

/**
 * The keys of the S3 server are required only if files are kept in a bucket. Otherwise they may be for another program.
 */
function s3Problems({ files, s3AccessKeyId, s3SecretAccessKey }: Values): NamedProblem[] {
  if (files?.kind !== 's3') return []
  const given = { AWS_ACCESS_KEY_ID: s3AccessKeyId, AWS_SECRET_ACCESS_KEY: s3SecretAccessKey }
  return Object.entries(given).flatMap(([field, value]) =>
    value === null ? [{ field, message: 'is missing: SAV_FILES names a bucket' }] : [],
  )
}

/**
 * Refuses to trust e-mail addresses from an issuer that all tenants of Entra ID share: anyone can create a tenant, and
 * set any address in it.
 */
function oidcProblems({ oidcIssuer, oidcTrustEmail }: Values): NamedProblem[] {
  if (!oidcTrustEmail || oidcIssuer === null || !isSharedByTenants(oidcIssuer)) return []
  const remedy = 'put the id of your own tenant into SAV_OIDC_ISSUER, or leave SAV_OIDC_TRUST_EMAIL out'
  return [
    {
      field: 'SAV_OIDC_TRUST_EMAIL',
      message: `cannot be 1 with ${oidcIssuer}, since people of any tenant can sign in there, with any e-mail address: ${remedy}`,
    },
  ]
}

function s3Of(values: Values): S3Access | null {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = values
  if (accessKeyId === null || secretAccessKey === null) return null
  const { s3Endpoint: endpoint, s3Region: region, s3SessionToken: sessionToken } = values
  return { endpoint, region, accessKeyId, secretAccessKey, sessionToken }
}

/** The settings of each external service: complete, or null if one of them is missing. */
function servicesOf(values: Values): Pick<Settings, 'mail' | 'whatsapp' | 'oidc'> {
  const { smtpUrl, mailFrom } = values
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = values
  const { oidcTrustEmail: trustEmail } = values
  const { whatsappToken: token, whatsappPhoneId: phoneId, whatsappTemplate: template, whatsappApi: api } = values
  return {
    mail: smtpUrl === null || mailFrom === null ? null : { url: smtpUrl, from: mailFrom },
    oidc:
      issuer === null || clientId === null || clientSecret === null
        ? null
        : { issuer, clientId, clientSecret, allowHttp: issuer.startsWith('http:'), trustEmail },
    whatsapp:
      token === null || phoneId === null || template === null
        ? null
        : { token, phoneId, template, api, rdvTemplates: rdvTemplatesOf(values) },
  }
}

const rdvTemplatesOf = ({ whatsappConfirmation, whatsappAnnulation, whatsappRappel, whatsappRetard }: Values) => ({
  ...(whatsappConfirmation !== null && { confirmation: whatsappConfirmation }),
  ...(whatsappAnnulation !== null && { annulation: whatsappAnnulation }),
  ...(whatsappRappel !== null && { rappel: whatsappRappel }),
  ...(whatsappRetard !== null && { retard: whatsappRetard }),
})

function badSettings(
  error: z.ZodError,
  found: ReadonlyMap<string, WrittenValue>,
  file: SettingsFile | null,
): CommandError {
  const details = error.issues.map(({ path, message }) => {
    const key = keys.find((each) => each === path[0])
    if (key === undefined) throw error
    const { value = '', from = '' } = found.get(key) ?? {}
    const field = from.startsWith('--') ? from : declaredSettings[key].variable.name
    const where = from === file?.name ? ` in ${from}` : ''
    return { field, message: `found ${JSON.stringify(shownUnread(key, value))}${where}; allowed: ${message}` }
  })
  return refused(details)
}

function refused(details: readonly NamedProblem[]): CommandError {
  const sentences = details.map(({ field, message }) => `${field}: ${message}`)
  return new CommandError('invalid_setting', sentences.join('\n'), { details })
}

/** A value that is safe to show: no key, and no password of an address. */
function shown(key: SettingKey, value: string): string {
  return declaredSettings[key].variable.holds === 'secret' ? hidden(value) : withoutPassword(value)
}

/** Like `shown`, for a value that does not parse. It may have been meant for another setting, which holds a secret. */
function shownUnread(key: SettingKey, value: string): string {
  const { holds } = declaredSettings[key].variable
  return holds === 'nothing secret' && !/@|:\/\/|pass|pwd|secret|token/i.test(value) ? value : hidden(value)
}

const hidden = (value: string) => (value === '' ? '' : `(hidden, ${value.length} characters)`)
