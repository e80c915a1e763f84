import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { needs } from '../../../test/needs.js'
import { declaredSettings } from '../../command/src/settings/declared-settings.js'
import { defaultLimits } from '../../http-node/src/node-server/limits.js'
import { pooled, poolers } from './chaos/pooler.js'
import { nginxBefore } from './nginx.js'
import { emptyDatabase } from './stores.js'
import { bare, readyWorkplace, workplace } from './workplace.js'

const run = promisify(execFile)
const deployed = (name: string) => fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url))

async function directory(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'sav-deploy-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

const units = ['sav.service', 'sav-worker.service', 'sav-backup.service', 'sav-backup.timer']

describe('systemd', () => {
  it.runIf(needs('systemd-analyze', 'that the units are right'))(
    'accepts the units, and finds them confined',
    async () => {
      const dir = await directory()
      for (const name of units) {
        const unit = await readFile(deployed(`systemd/${name}`), 'utf8')
        // systemd-analyze requires that the command exists.
        await writeFile(join(dir, name), unit.replace('/usr/local/bin/sav', process.execPath))
      }
      const files = units.map((name) => join(dir, name))
      const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', ...files])
      // Checks the output too: for an unknown key, systemd-analyze prints a warning but exits 0.
      expect(`${stdout}${stderr}`).toBe('')
      // Exposure in tenths: 96 for a unit without any restriction. Above the threshold, the command exits 1.
      for (const file of files.filter((name) => name.endsWith('.service')))
        await run('systemd-analyze', ['security', '--offline=yes', '--no-pager', '--threshold=31', file])
    },
  )

  it('sends each unit’s errors to the journal, and does not read the settings file, since sav does', async () => {
    for (const name of await readdir(deployed('systemd'))) {
      const unit = await readFile(deployed(`systemd/${name}`), 'utf8')
      // By default, standard error goes to the same place as standard output.
      const output = /^StandardOutput=(.*)$/m.exec(unit)?.[1] ?? 'journal'
      expect([name, /^StandardError=(.*)$/m.exec(unit)?.[1] ?? output]).toEqual([name, 'journal'])
      expect([name, unit]).toEqual([name, expect.not.stringMatching(/^EnvironmentFile=/m)])
    }
  })

  it('starts each command with flags that exist, and the commands log only JSON', async () => {
    const command = async (name: string) => {
      const unit = await readFile(deployed(`systemd/${name}`), 'utf8')
      return /^ExecStart=\/usr\/local\/bin\/sav (.*)$/m.exec(unit)?.[1]?.split(' ') ?? []
    }
    const shop = await readyWorkplace()
    const service = shop.start([...(await command('sav.service')), '--port', '0'])
    const [, url = ''] = await service.prints(/"url":"(http:[^"]+)"/, 'stderr')
    await fetch(`${url}/api/v1/sav`)
    const { code, stderr } = await service.kill('SIGTERM')
    const worker = shop.start(await command('sav-worker.service'))
    await worker.prints(/"delivering"/, 'stderr')
    const ended = await worker.kill('SIGTERM')
    // A missing store is reported, not created.
    const nowhere = await shop.sav([...(await command('sav.service')), '--database', 'sqlite:away/sav.db'])
    expect([code, ended.code, nowhere.code]).toEqual([0, 0, 5])
    expect(nowhere.stderr).toMatch(/There is no store at/)
    const journal = [stderr, ended.stderr, nowhere.stderr].join('')
    expect(
      journal
        .trim()
        .split('\n')
        .map((line) => typeof JSON.parse(line)),
    ).not.toContain('string')
    expect(journal).toContain(`"msg":"listening on ${url}"`)
    const backup = (await command('sav-backup.service')).map((word) => word.replace('/backup/sav', shop.dir))
    expect(JSON.parse((await shop.sav(backup)).stdout)).toMatchObject({ file: expect.stringContaining(shop.dir) })
  })
})

describe('proxies', () => {
  it.runIf(needs('nginx', 'that the configuration of nginx is right'))('nginx forwards calls by HTTP/2', async () => {
    const { url } = await (await readyWorkplace()).serveHere()
    const { port } = await nginxBefore([url])
    const retrying = ['--retry', '50', '--retry-connrefused', '--retry-delay', '0']
    const asked = ['-sk', '--http2', ...retrying, '-w', ' %{http_version}', `https://127.0.0.1:${port}/healthz`]
    const { stdout } = await run('curl', asked)
    expect(stdout).toMatch(/^\{"success":true.* 2$/s)
  })

  it.runIf(needs('caddy', 'that the configuration of Caddy is right'))('Caddy accepts our Caddyfile', async () => {
    const checked = ['validate', '--adapter', 'caddyfile', '--config', deployed('proxy/Caddyfile')]
    const { stdout, stderr } = await run('caddy', checked, {
      env: { HOME: await directory(), PATH: process.env['PATH'] },
    })
    expect(`${stdout}${stderr}`).toContain('Valid configuration')
  })
})

it.each(poolers)('PgBouncer runs with the shipped settings: $path', async (pooler) => {
  if (!needs(`PgBouncer (${pooler.path})`, 'that its settings are right', pooler.version !== null)) return
  const ini = (await readFile(deployed('pgbouncer/pgbouncer.ini'), 'utf8')).replace(/^[\s\S]*\[pgbouncer\]\n/, '')
  const own = /^(;|listen_|unix_|auth_|pool_mode)/
  const settings = ini.split('\n').filter((line) => line !== '' && !own.test(line))
  expect(settings).toContain('server_login_retry = 1')
  const address = await pooled(await emptyDatabase(), pooler, settings)
  address.searchParams.set('prepare', 'false')
  const shop = await workplace({ SAV_DATABASE: address.href, SAV_DATABASE_DIRECT: 'none' })
  expect(await shop.json('init')).toMatchObject({ account_added: true })
})

describe('Docker', () => {
  it('a container makes a missing store, even if a key is given, but not with --no-init', async () => {
    const shop = await workplace()
    await shop.linkSav()
    const started = (...args: string[]) =>
      spawn(deployed('docker/start.sh'), args, {
        cwd: shop.dir,
        env: {
          ...bare,
          PATH: `${shop.dir}:${bare.PATH}`,
          SAV_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
          SAV_PORT: '0',
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    expect(await once(started('serve', '--no-init'), 'exit')).toEqual([5, null])
    const container = started('serve')
    const [printed] = await once(container.stdout, 'data')
    expect(String(printed)).toMatch(/^listening on http:/)
    container.kill('SIGTERM')
    expect(await once(container, 'exit')).toEqual([0, null])
  })

  it('backs up each night, and continues after a failed backup', async () => {
    const shop = await readyWorkplace()
    await shop.linkSav()
    // The first two sleeps end at once, and the third fails, which ends the script.
    const sleep = `#!/bin/sh\necho "$1" >> '${shop.dir}/nights'\n[ "$(wc -l < '${shop.dir}/nights')" -lt 3 ]\n`
    await writeFile(join(shop.dir, 'sleep'), sleep, { mode: 0o755 })
    const options = { cwd: shop.dir, env: { ...bare, PATH: `${shop.dir}:${bare.PATH}` } }
    // Without a directory to write to, each backup fails, and the script continues.
    const failed = await run(deployed('docker/backup.sh'), [join(shop.dir, 'sav')], options).catch((error) => error)
    expect(failed.stderr.trim().split('\n')).toHaveLength(2)
    await rm(join(shop.dir, 'nights'))
    await mkdir(join(shop.dir, 'backups'))
    await run(deployed('docker/backup.sh'), [join(shop.dir, 'backups')], options).catch(() => {})
    expect(await readdir(join(shop.dir, 'backups'))).toHaveLength(2)
    // Each sleep lasts until 02:00 UTC.
    for (const seconds of (await readFile(join(shop.dir, 'nights'), 'utf8')).trim().split('\n'))
      expect((Math.floor(Date.now() / 1000) + Number(seconds) - 7200 + 43_200) % 86_400).toBeCloseTo(43_200, -3)
  })

  it('every service in compose.yaml has a log of bounded size', async () => {
    const compose = await readFile(deployed('docker/compose.yaml'), 'utf8')
    const [, services = ''] = /^services:\n(.*?)^\w/ms.exec(compose) ?? []
    const each = services.split(/^ {2}(?=\w+:$)/m).filter((text) => text !== '')
    expect(each.map((text) => text.split(':', 1)[0])).toEqual(['database', 'migrate', 'api', 'worker', 'backup'])
    for (const service of each) expect(service).toMatch(/^ {4}logging: \*logging$|^ {4}<<: (\*|&)image$/m)
    expect(services).toMatch(/<<: &image\n(?: {6}.*\n)*? {6}logging: \*logging\n/)
    expect(compose).toMatch(/^x-logging: &logging\n(?: {2}.*\n)* {4}max-size: /m)
  })

  it.runIf(needs('hadolint', 'that the Dockerfile is right'))('has a Dockerfile that hadolint accepts', async () => {
    const { stdout } = await run('hadolint', [deployed('docker/Dockerfile')])
    expect(stdout).toBe('')
  })
})

it.each(['docker/compose.yaml', 'docker/Dockerfile', 'pgbouncer/pgbouncer.ini', 'proxy/nginx.conf', 'proxy/Caddyfile'])(
  '%s names only existing settings',
  async (name) => {
    const named = new Set((await readFile(deployed(name), 'utf8')).match(/\bSAV_[A-Z_]+/g))
    const settings: readonly string[] = Object.values(declaredSettings).map(({ variable }) => variable.name)
    expect(named.size).toBeGreaterThan(0)
    expect([...named].filter((each) => !settings.includes(each))).toEqual([])
  },
)

it.each(['nginx.conf', 'Caddyfile'])('%s closes an idle connection before the service does', async (name) => {
  const site = await readFile(deployed(`proxy/${name}`), 'utf8')
  const [, seconds] = /^\s*keepalive(?:_timeout)? (\d+)s;?$/m.exec(site) ?? []
  expect(Number(seconds) * 1000).toBeLessThan(defaultLimits.keepAliveTimeoutMs)
})
