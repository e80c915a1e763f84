import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { CommandError } from '../process/command-error.js'
import { declaredSettings, type SettingKey, type SettingName } from './declared-settings.js'
import { fileVariableOf } from './secret-files.js'
import { readSettings } from './settings.js'

let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'sav-settings-'))
  await writeFile(join(cwd, '.env'), '# local\nSAV_PORT=7001\nSAV_TIME_ZONE="Europe/Madrid"\nSAV_LOG_LEVEL=\n')
})
afterAll(() => rm(cwd, { recursive: true }))

const read = (env: Record<string, string>, directory = '/nowhere') => readSettings({ env, cwd: directory })

/** The messages about settings that do not parse, by the setting's name. */
function refusals(env: Record<string, string>): Record<string, string> {
  try {
    read(env)
    return {}
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    expect(error.exitCode).toBe(2)
    return Object.fromEntries(error.details?.map(({ field, message }) => [field, message]) ?? [])
  }
}

describe('settings', () => {
  it.each(['common', 'organizations', 'consumers'])('trust no e-mail addresses of Entra ID’s /%s', (tenant) => {
    const client = { SAV_OIDC_CLIENT_ID: 'sav', SAV_OIDC_CLIENT_SECRET: 'x' }
    const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`
    const shared = { ...client, SAV_OIDC_ISSUER: issuer }
    expect(refusals({ ...shared, SAV_OIDC_TRUST_EMAIL: '1' })).toEqual({
      SAV_OIDC_TRUST_EMAIL: `cannot be 1 with ${issuer}, since people of any tenant can sign in there, with any e-mail address: put the id of your own tenant into SAV_OIDC_ISSUER, or leave SAV_OIDC_TRUST_EMAIL out`,
    })
    expect(read(shared).oidc).toMatchObject({ issuer, trustEmail: false })
    const own = issuer.replace(tenant, '72f988bf-86f1-41af-91ab-2d7cd011db47')
    expect(read({ ...client, SAV_OIDC_ISSUER: own, SAV_OIDC_TRUST_EMAIL: '1' }).oidc).toMatchObject({
      trustEmail: true,
    })
  })

  it('have the documented defaults', () => {
    expect(read({})).toMatchObject({
      database: { kind: 'sqlite', path: '/nowhere/sav-data/sav.db' },
      autoMigrate: true,
      secretKey: null,
      secretKeyFile: '/nowhere/sav-data/secret.key',
      host: '127.0.0.1',
      port: 8080,
      timeZone: 'Europe/Paris',
      retrySchedule: [0, 30_000, 120_000, 600_000, 3_600_000, 21_600_000],
      webhookTimeoutMs: 5000,
      allowLocalReceivers: false,
      concurrency: { total: 256, perTarget: 16 },
      allowedCidrs: [],
      webhookProxy: null,
      console: true,
      metrics: null,
      publicUrl: null,
      trustedProxies: [],
      forwardedHeader: 'x-forwarded-for',
      corsOrigins: [],
      rateLimit: { reads: { quota: 6000, windowSeconds: 60 }, writes: { quota: 1200, windowSeconds: 60 } },
      mail: null,
      whatsapp: null,
      tsaUrl: null,
      tsaCa: null,
      evidenceAnchor: null,
      logLevel: 'info',
    })
  })

  it('come from the flag, then the environment, then .env, then the default', () => {
    const flag = { name: 'SAV_PORT', flag: '--port', value: '7003' } as const
    const env = { SAV_PORT: '7002' }
    const from = (settings: ReturnType<typeof readSettings>) =>
      settings.inForce.find(({ name }) => name === 'SAV_PORT')?.from
    const withFlag = readSettings({ env, cwd, flags: [flag] })
    expect([withFlag.port, from(withFlag)]).toEqual([7003, '--port'])
    const withEnv = readSettings({ env, cwd, flags: [{ ...flag, value: undefined }] })
    expect([withEnv.port, from(withEnv)]).toEqual([7002, 'environment'])
    const withFile = readSettings({ env: {}, cwd })
    expect([withFile.port, from(withFile), withFile.timeZone]).toEqual([7001, '.env', 'Europe/Madrid'])
    expect([read({}).port, from(read({}))]).toEqual([8080, 'default'])
  })

  describe('in a .env that another program wrote', () => {
    const readFrom = async (content: string | Uint8Array) => {
      const dir = await mkdtemp(join(tmpdir(), 'sav-dotenv-'))
      onTestFinished(() => rm(dir, { recursive: true }))
      await writeFile(join(dir, '.env'), content)
      return readSettings({ env: {}, cwd: dir })
    }

    it.each(['\n', '\r\n'])('are read after a byte order mark and after a blank value (line ends: %j)', async (end) => {
      const lines = ['\uFEFFSAV_PORT=7001', 'SAV_LOG_LEVEL= ', 'SAV_HOST=\t', 'SAV_TIME_ZONE=Europe/Madrid', '']
      const settings = await readFrom(lines.join(end))
      expect(settings).toMatchObject({ port: 7001, logLevel: 'info', host: '127.0.0.1', timeZone: 'Europe/Madrid' })
    })

    it('are refused, with the path, if .env is a directory', async () => {
      const dir = await mkdtemp(join(tmpdir(), 'sav-dotenv-'))
      onTestFinished(() => rm(dir, { recursive: true }))
      await mkdir(join(dir, '.env'))
      expect(() => readSettings({ env: {}, cwd: dir })).toThrow(/\.env: it is a directory, .* Rename it\.$/)
    })

    it('can have a quoted value of several lines', async () => {
      const settings = await readFrom('SAV_MAIL_FROM="a \n b=\nc@shop.example"\nSAV_SMTP_URL=smtp://mail.example\n')
      expect(settings.mail?.from).toBe('a \n b=\nc@shop.example')
    })

    it.each(['utf16le', 'latin1'] as const)('are refused if the file is not UTF-8 but %s', async (encoding) => {
      const content = Buffer.from('SAV_PORT=7001\nSAV_MAIL_FROM=Société <a@shop.example>\n', encoding)
      await expect(readFrom(content)).rejects.toThrow(/\.env: it is not UTF-8 text/)
    })
  })

  it('count as not set when they are empty', () => {
    expect(readSettings({ env: { SAV_PORT: '', SAV_WEBHOOK_ALLOW_LOCAL: '' }, cwd }).port).toBe(7001)
    expect(read({ SAV_WEBHOOK_ALLOW_LOCAL: '' }).allowLocalReceivers).toBe(false)
  })

  it('place the secret key beside the store by default', () => {
    expect(read({ SAV_DATABASE: 'sqlite:/srv/sav/a.db' }).secretKeyFile).toBe('/srv/sav/secret.key')
    const named = read({ SAV_DATABASE: 'sqlite:/srv/sav/a.db', SAV_SECRET_KEY_FILE: 'k' })
    expect(named.secretKeyFile).toBe('/nowhere/k')
  })

  it.each<[SettingName, readonly string[], readonly string[]]>([
    [
      'SAV_DATABASE',
      ['sqlite:a.db', 'sqlite:///a', 'postgres://h/db', 'postgresql://u:p@[::1]:5432/db?sslmode=require'],
      ['sqlite:', 'sqlite::memory:', 'a.db', 'mysql://h/db', 'postgres:db', 'postgres://u:p/w@h/db'],
    ],
    ['SAV_DATABASE_DIRECT', ['none', 'postgres://u:p@h:5432/db'], ['off', 'sqlite:a.db']],
    ['SAV_PUBLIC_URL', ['https://sav.example/app', 'http://127.0.0.1:8080'], ['sav.example', 'ftp://sav.example']],
    ['SAV_TRUSTED_PROXIES', ['127.0.0.1', '10.0.0.0/8, fd00::/8'], ['proxy', '10.0.0.0/33']],
    ['SAV_FORWARDED_HEADER', ['x-forwarded-for', 'Forwarded'], ['x-real-ip', 'x-forwarded-for,forwarded']],
    [
      'SAV_CORS_ORIGINS',
      ['https://a.example', 'http://a.example:8080, https://b.example'],
      ['*', 'a.example', 'https://a.example/', 'https://a.example/path', 'null'],
    ],
    ['SAV_RATE_LIMIT', ['off', 'reads=1/s,writes=9/h'], ['on', 'reads=1/s', 'reads=0/min,writes=1/min', '6000']],
    ['SAV_TSA_URL', ['http://tsa.example/', 'https://u:p@tsa.example/tsr'], ['tsa.example']],
    [
      'SAV_EVIDENCE_ANCHOR',
      ['anchors.jsonl', '/mnt/a.jsonl', 'https://u:p@outside.example/'],
      ['ftp://outside.example'],
    ],
    ['SAV_OSRM_URL', ['http://127.0.0.1:5000', 'https://u:p@osrm.example/fr'], ['osrm.example', 'ftp://osrm.example']],
    ['SAV_VROOM_URL', ['http://127.0.0.1:3000'], ['vroom:3000']],
    ['SAV_GEOCODER_URL', ['https://data.geopf.fr/geocodage'], ['geopf']],
    ['SAV_AUTO_MIGRATE', ['0', '1'], ['true', '2']],
    ['SAV_SECRET_KEY', [Buffer.alloc(32, 1).toString('base64')], [Buffer.alloc(31).toString('base64'), 'key', 'é']],
    ['SAV_HOST', ['0.0.0.0', '::1', 'sav.example.com'], ['a b', 'http://a']],
    ['SAV_PORT', ['0', '65535'], ['-1', '65536', '80a', '8e1', '1.5']],
    [
      'SAV_TIME_ZONE',
      ['UTC', 'America/Martinique', 'Asia/Calcutta', '+02:00'],
      ['Paris', 'Europe/Nowhere', 'IST', '2030-01-01T00:00[Europe/Paris]'],
    ],
    ['SAV_RETRY_SCHEDULE', ['0s', '0s,0s', '0ms, 5m,1d', '0s,5 minutes,1h30'], ['1s', '0s,2m,1m', '0s,', '0', '0s,5']],
    ['SAV_WEBHOOK_TIMEOUT', ['100ms', '60s', '1m'], ['99ms', '61s', '5']],
    ['SAV_RDV_LETTER_DELAY', ['0s', '60s', '24h'], ['86401s', '-1s', '60']],
    ['SAV_WEBHOOK_ALLOW_LOCAL', ['0', '1'], ['yes']],
    ['SAV_WEBHOOK_CONCURRENCY', ['1,1', '64, 64', '10000,10000'], ['64', '16,64', '0,0', '10001,1', '64,64,64']],
    [
      'SAV_WEBHOOK_ALLOW_CIDRS',
      ['10.0.0.0/8', '10.1.2.3, fd00::/8', '0.0.0.0/0', '::1/128'],
      ['10.0.0.0/33', '::/129', '10.0.0/8', '10.0.0.0/8,', 'intranet', '10.0.0.0/8/8', '10.0.0.0/'],
    ],
    [
      'SAV_WEBHOOK_PROXY',
      ['http://proxy:3128', 'https://u:p@proxy.example.com'],
      ['proxy:3128', 'socks5://proxy', 'proxy'],
    ],
    [
      'SAV_METRICS',
      ['127.0.0.1:9464', '[::1]:0', 'localhost:65535'],
      ['9464', ':9464', '127.0.0.1', '::1:9464', 'a:65536', 'a b:1'],
    ],
    ['SAV_LOG_LEVEL', ['silent', 'trace'], ['verbose', 'INFO']],
  ])('accept only allowed values: %s', (name, good, bad) => {
    for (const value of good) expect(refusals({ [name]: value }), value).toEqual({})
    for (const value of bad) expect(refusals({ [name]: value })[name], value).toMatch(/^found ".*"; allowed: ./)
  })

  it('for PostgreSQL have other defaults: no automatic migration, and the key in sav-data', () => {
    const url = 'postgres://u:hunter2@db.example/sav'
    const settings = read({ SAV_DATABASE: url })
    expect(settings).toMatchObject({
      database: { kind: 'postgres', url, direct: url, name: 'postgres://***@db.example/sav' },
      autoMigrate: false,
      secretKeyFile: '/nowhere/sav-data/secret.key',
    })
    expect(settings.inForce.find(({ name }) => name === 'SAV_AUTO_MIGRATE')?.value).toBe('0')
    expect(read({ SAV_DATABASE: url, SAV_AUTO_MIGRATE: '1' }).autoMigrate).toBe(true)
    expect(read({ SAV_AUTO_MIGRATE: '0' }).autoMigrate).toBe(false)
    expect(read({ SAV_DATABASE: url, SAV_DATABASE_DIRECT: 'none' }).database).toMatchObject({ direct: null })
    const direct = 'postgres://db.example:5433/sav'
    expect(read({ SAV_DATABASE: url, SAV_DATABASE_DIRECT: direct }).database).toMatchObject({ direct })
  })

  it('of a channel must all be set, or none', () => {
    const mail = { SAV_SMTP_URL: 'smtp://mail.example', SAV_MAIL_FROM: 'sav@example.com' }
    expect(read(mail).mail).toEqual({ url: 'smtp://mail.example', from: 'sav@example.com' })
    expect(refusals({ SAV_SMTP_URL: mail.SAV_SMTP_URL })).toEqual({
      SAV_MAIL_FROM: 'is missing, and SAV_SMTP_URL needs it',
    })
    expect(refusals({ SAV_MAIL_FROM: mail.SAV_MAIL_FROM })).toEqual({
      SAV_SMTP_URL: 'is missing, and SAV_MAIL_FROM needs it',
    })
    const whatsapp = { SAV_WHATSAPP_TOKEN: 't', SAV_WHATSAPP_PHONE_ID: '1', SAV_WHATSAPP_TEMPLATE: 'pv' }
    expect(read(whatsapp).whatsapp).toEqual({ token: 't', phoneId: '1', template: 'pv', api: null, rdvTemplates: {} })
    const rappel = { ...whatsapp, SAV_WHATSAPP_TEMPLATE_RAPPEL: 'rdv_rappel' }
    expect(read(rappel).whatsapp?.rdvTemplates).toEqual({ rappel: 'rdv_rappel' })
    expect(refusals({ SAV_WHATSAPP_API: 'http://127.0.0.1:1' })).toEqual({
      SAV_WHATSAPP_TOKEN: 'is missing, and SAV_WHATSAPP_API needs it',
      SAV_WHATSAPP_PHONE_ID: 'is missing, and SAV_WHATSAPP_API needs it',
      SAV_WHATSAPP_TEMPLATE: 'is missing, and SAV_WHATSAPP_API needs it',
    })
  })

  it('that do not parse are all reported at once, with their values', () => {
    expect(refusals({ SAV_PORT: '80a', SAV_LOG_LEVEL: 'loud' })).toEqual({
      SAV_PORT: 'found "80a"; allowed: a port from 1 to 65535, or 0 for any free one',
      SAV_LOG_LEVEL: 'found "loud"; allowed: one of fatal, error, warn, info, debug, trace, silent',
    })
  })

  it('are shown without secrets', () => {
    const key = Buffer.alloc(32, 7).toString('base64')
    expect(JSON.stringify(read({ SAV_SECRET_KEY: key }).inForce)).not.toContain(key)
    expect(JSON.stringify(read({ SAV_WEBHOOK_PROXY: 'http://u:hunter2@proxy' }).inForce)).not.toContain('hunter2')
    expect(JSON.stringify(refusals({ SAV_SECRET_KEY: 'hunter2' }))).not.toContain('hunter2')
    const whatsapp = { SAV_WHATSAPP_TOKEN: 'hunter2', SAV_WHATSAPP_PHONE_ID: '1', SAV_WHATSAPP_TEMPLATE: 'pv' }
    expect(JSON.stringify(read(whatsapp).inForce)).not.toContain('hunter2')
    for (const url of ['postgres://u:hunter2@h/db', 'postgres://u:hun@ter2@h/db', 'postgres://h/db?password=hunter2'])
      expect(JSON.stringify(read({ SAV_DATABASE: url, SAV_DATABASE_DIRECT: url }).inForce)).not.toMatch(/hunter2|ter2/)
    for (const url of ['postgres://u:hun/ter2@h/db', 'mysql://u:hunter2@h/db'])
      expect(JSON.stringify(refusals({ SAV_DATABASE: url }))).not.toMatch(/hun|ter2/)
  })
})

describe('a secret in a file', () => {
  it('is read from the file that NAME_FILE names, in the environment or .env, and is never shown', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sav-secrets-'))
    onTestFinished(() => rm(dir, { recursive: true }))
    await writeFile(join(dir, 'smtp'), 'smtps://sav:hunter2@mail.example\n')
    await writeFile(join(dir, 'database'), 'postgres://sav:hunter2@db.example/sav\n')
    await writeFile(join(dir, '.env'), 'SAV_DATABASE_FILE=database\nSAV_SMTP_URL=smtps://sav:other@mail.example\n')
    const settings = read({ SAV_SMTP_URL_FILE: 'smtp', SAV_MAIL_FROM: 'sav@petit.example' }, dir)
    expect(settings.mail?.url).toBe('smtps://sav:hunter2@mail.example')
    expect(settings.database).toMatchObject({ kind: 'postgres', url: 'postgres://sav:hunter2@db.example/sav' })
    expect(settings.unknown).toEqual([])
    expect(settings.file?.path).toBe(join(dir, '.env'))
    expect(JSON.stringify(settings.inForce)).not.toContain('hunter2')
    expect(settings.inForce.find(({ name }) => name === 'SAV_SMTP_URL')?.from).toBe('SAV_SMTP_URL_FILE, environment')
  })

  it('is refused if the value itself is also set, or the file is missing or empty', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sav-secrets-'))
    onTestFinished(() => rm(dir, { recursive: true }))
    await writeFile(join(dir, 'empty'), '\n')
    const refused = (env: Record<string, string>) => () => read(env, dir)
    expect(refused({ SAV_API_KEY: 'x', SAV_API_KEY_FILE: 'empty' })).toThrow(
      'SAV_API_KEY_FILE: is set together with SAV_API_KEY: give one of them',
    )
    expect(refused({ SAV_API_KEY_FILE: 'empty' })).toThrow(`SAV_API_KEY_FILE: ${join(dir, 'empty')} is empty`)
    expect(refused({ SAV_API_KEY_FILE: 'missing' })).toThrow(
      `SAV_API_KEY_FILE: ${join(dir, 'missing')}: there is no such file.`,
    )
    expect(read({ SAV_API_KEY_FILE: '' }, dir).service.key).toBe(null)
  })

  it('is possible for exactly the settings that hold a secret, except the secret key', () => {
    const keys = Object.keys(declaredSettings) as SettingKey[]
    const holding = keys.filter((key) => declaredSettings[key].variable.holds !== 'nothing secret')
    expect(keys.filter((key) => fileVariableOf(key) !== null)).toEqual(holding.filter((key) => key !== 'secretKey'))
    expect(fileVariableOf('whatsappToken')).toBe('SAV_WHATSAPP_TOKEN_FILE')
  })
})
