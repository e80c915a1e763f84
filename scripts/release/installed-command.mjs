// A part of a release's rehearsal: tries the command as users install it, on a machine that has only Node.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { root } from '../prepare.mjs'

const run = promisify(execFile)

/**
 * Installs the command globally from a registry, creates a store in an empty folder, serves it, and tries the demo with
 * npx.
 * @returns the version that each part reports
 * @throws Error if one of these steps fails
 */
export async function tryInstalledCommand(folder, npmrc) {
  const { PATH, ...env } = nodeAlone(folder, npmrc)
  const user = { cwd: join(folder, 'shop'), env: { ...env, PATH: `${join(folder, 'prefix/bin')}:${PATH}` } }
  mkdirSync(user.cwd)
  await run('npm', ['install', '--global', '@sav/cli'], user)
  await run('sav', ['init', '--yes'], user)
  const { stdout } = await run('sav', ['--version'], user)
  const versions = { '--version': stdout.trim(), ...(await versionsOfService(user)) }

  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  const npx = (...words) => run('npx', ['--yes', '@sav/cli', ...words], { cwd: elsewhere, env: { ...env, PATH } })
  await npx('init', '--yes')
  const { key } = JSON.parse((await npx('demo', '--json')).stdout)
  if (typeof key !== 'string') throw new Error('npx @sav/cli demo printed no key.')
  return versions
}

/** Settings that allow a receiver on this machine. */
const local = { SAV_WEBHOOK_ALLOW_LOCAL: '1' }

/** An environment with only Node: the PATH contains nothing of this repository. */
function nodeAlone(folder, npmrc) {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  symlinkSync(join(root, 'node_modules/node/bin/node'), join(programs, 'node'))
  // npm sets `npm_execpath` to its own path.
  const npm = dirname(process.env.npm_execpath)
  for (const name of ['npm', 'npx']) symlinkSync(join(npm, `${name}-cli.js`), join(programs, name))
  const { NODE_EXTRA_CA_CERTS, HTTPS_PROXY } = process.env
  return {
    ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }),
    ...(HTTPS_PROXY && { HTTPS_PROXY }),
    HOME: folder,
    PATH: `${programs}:/usr/bin:/bin`,
    NPM_CONFIG_USERCONFIG: npmrc,
    NPM_CONFIG_PREFIX: join(folder, 'prefix'),
  }
}

/** The versions that a running service reports to receivers, Prometheus and callers. */
async function versionsOfService({ cwd, env }) {
  const told = Promise.withResolvers()
  const receiver = createServer((request, response) => {
    told.resolve(request.headers['user-agent'])
    response.end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const metrics = `127.0.0.1:${await freePort()}`
  const shop = { cwd, env: { ...env, ...local, SAV_METRICS: metrics, SAV_LOG_LEVEL: 'warn' } }
  const service = spawn('sav', ['serve', '--port', '0'], { ...shop, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await addressOf(service)
    await run('sav', ['webhooks', 'add', `http://127.0.0.1:${receiver.address().port}`, '--all-events'], shop)
    await run('sav', ['webhooks', 'trigger', 'sav.created'], shop)
    const scraped = await (await fetch(`http://${metrics}/metrics`)).text()
    const contract = await (await fetch(`${url}/openapi.json`)).json()
    return {
      'user-agent': (await told.promise).replace(/^sav\//, ''),
      sav_build_info: /^sav_build_info\{.*version="([^"]+)"/m.exec(scraped)?.[1],
      'openapi.json': contract.info.version,
    }
  } finally {
    service.kill('SIGTERM')
    await once(service, 'exit')
    receiver.close()
  }
}

/** Resolves to the address on which the service listens. @throws Error if it ends before */
async function addressOf(service) {
  for await (const line of createInterface({ input: service.stdout })) {
    const [, url] = /^listening on (http:\S+)$/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('sav serve ended before it listened')
}

async function freePort() {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
