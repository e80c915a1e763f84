import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { local, readyWorkplace } from '../workplace.js'
import { observer } from './installation.js'
import { postgresServer } from './postgres-server.js'

/** A self-signed certificate for 127.0.0.1, with its key, and the path of its file. */
function certificate() {
  const directory = mkdtempSync(join(tmpdir(), 'sav-tls-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const [key, path] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const named = ['-subj', '/CN=database', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', [...made, ...named, '-keyout', key, '-out', path], { stdio: 'ignore' })
  return { path, key: readFileSync(key, 'utf8'), cert: readFileSync(path, 'utf8') }
}

const encrypted = `select a.application_name as name, s.ssl from pg_stat_activity a join pg_stat_ssl s using (pid)
  where a.application_name like 'sav%' order by 1`

it.runIf(needs('openssl', 'TLS to the database'))('TLS is used as the URL of the database requires', async () => {
  const [own, other] = [certificate(), certificate()]
  const server = await postgresServer({
    settings: { ssl_cert_file: 'server.crt', ssl_key_file: 'server.key' },
    files: {
      'pg_hba.conf': 'host all postgres 127.0.0.1/32 password\nhostssl all all 127.0.0.1/32 password\n',
      'server.crt': own.cert,
      'server.key': own.key,
    },
  })
  const { query } = await observer(server.url.href)
  const turn = async (ssl: 'on' | 'off') => {
    await query(`alter system set ssl = ${ssl}`)
    await query('select pg_reload_conf()')
  }
  await turn('on')
  const urlWith = (parameters: Record<string, string>, host = '127.0.0.1') => {
    const url = new URL(server.url)
    url.hostname = host
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return { SAV_DATABASE: url.href }
  }
  const verified = urlWith({ sslmode: 'verify-full', sslrootcert: own.path })
  const shop = await readyWorkplace({ ...local, ...verified })

  const worker = shop.start('worker')
  await worker.prints(/"delivering"/, 'stderr')
  const connections = async () => (await query(encrypted)).rows
  await expect.poll(connections).toContainEqual({ name: 'sav listen', ssl: true })
  expect(await connections()).toContainEqual({ name: 'sav', ssl: true })
  expect((await connections()).filter(({ ssl }) => !ssl)).toEqual([])
  await worker.kill('SIGTERM')
  const unencrypted = shop.start('worker', urlWith({ sslmode: 'disable' }))
  await unencrypted.prints(/"delivering"/, 'stderr')
  await expect.poll(connections).toContainEqual({ name: 'sav listen', ssl: false })

  await unencrypted.kill('SIGTERM')

  const refusals: readonly [RegExp, Record<string, string>, string?][] = [
    [/self-signed certificate/, { sslmode: 'verify-full', sslrootcert: other.path }],
    [/self-signed certificate/, { sslmode: 'require' }],
    [/Host: localhost\. is not/, { sslmode: 'verify-full', sslrootcert: own.path }, 'localhost'],
    [/no such file.*\/nowhere\/ca\.pem/, { sslmode: 'verify-full', sslrootcert: '/nowhere/ca.pem' }],
  ]
  for (const [reason, parameters, host] of refusals) {
    const { code, stdout, stderr } = await shop.sav('cases list', urlWith(parameters, host))
    expect([code, stdout, stderr]).toEqual([5, '', expect.stringMatching(/^The database cannot be reached: .*\n$/)])
    expect(stderr).toMatch(reason)
  }
  const unwanted = new URL(urlWith({ sslmode: 'disable' }).SAV_DATABASE)
  unwanted.username = 'somebody'
  await shop.fails('cases list', 5, 'The database refuses the user, the password, or a connection without TLS.\n', {
    SAV_DATABASE: unwanted.href,
  })
  await turn('off')
  const away = {
    code: 5,
    stderr:
      'The database cannot be reached: The server does not support SSL connections. Check that it runs, and that its address is right.\n',
  }
  await expect.poll(() => shop.sav('cases list')).toMatchObject(away)
})
