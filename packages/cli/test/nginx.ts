import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { freePort } from '../../../test/free-port.js'

const run = promisify(execFile)

/** Starts nginx in front of the services, with the site of deploy/ and a new certificate. It ends with the test. */
export async function nginxBefore(
  services: readonly string[],
): Promise<{ readonly port: number; errors(): Promise<string> }> {
  const dir = await mkdtemp(join(tmpdir(), 'sav-nginx-'))
  const port = await freePort()
  const [certificate, key] = [join(dir, 'fullchain.pem'), join(dir, 'privkey.pem')]
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=sav.example', '-days', '1']
  await run('openssl', ['req', ...made, '-keyout', key, '-out', certificate])
  const shipped = await readFile(new URL('../../../deploy/proxy/nginx.conf', import.meta.url), 'utf8')
  const servers = shipped.match(/^ *server 127\.0\.0\.1:\d+.*;\n/gm) ?? []
  const own = services.map((url, n) => servers[n]?.replace(/127\.0\.0\.1:\d+/, new URL(url).host))
  const site = shipped
    .replace(servers.join(''), own.join(''))
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace(/^.*listen \[::\]:443.*\n/m, '')
    .replaceAll('/etc/letsencrypt/live/sav.example', dir)
  if (/\b(443|8080|8081)\b/.test(site)) throw new Error(`A port of the shipped site is left: ${site}`)
  await writeFile(join(dir, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${dir}/${of};`)
  const before = `daemon off; pid ${dir}/pid; error_log ${dir}/error.log; events {} http { access_log off; ${temporary.join(' ')}`
  await writeFile(join(dir, 'nginx.conf'), `${before} include ${dir}/site.conf; }`)
  const running = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: 'ignore' })
  onTestFinished(async () => {
    running.kill('SIGTERM')
    await once(running, 'exit')
    await rm(dir, { recursive: true, force: true })
  })
  const errors = () => readFile(join(dir, 'error.log'), 'utf8')
  for (;;) {
    const isThere = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isThere) return { port, errors }
    if (running.exitCode !== null) throw new Error(await errors())
    await setTimeout(20)
  }
}
