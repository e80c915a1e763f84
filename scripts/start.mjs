// npm start: runs everything on this machine, to try it. Installs, builds, and fills a small shop in ./sav-data. Then
// starts a demo receiver that verifies each webhook, and the API with its worker.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { env as baseEnv, prepare, root, say } from './prepare.mjs'

prepare()

const sav = join(root, 'node_modules', '.bin', 'sav')
const env = { SAV_LOG_LEVEL: 'warn', ...baseEnv, SAV_WEBHOOK_ALLOW_LOCAL: '1' }
const children = []
// If there is no .env here, the settings of a service that is installed on this machine are ignored.
const alone = existsSync(join(root, '.env')) ? [] : ['--no-env-file']

let stopping = false
function stop(code) {
  if (stopping) return
  stopping = true
  process.exitCode = code
  for (const child of children) child.kill('SIGTERM')
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0))

// npm passes a SIGTERM only to its shell. When the shell has ended, this process has another parent, and stops too.
const parent = process.ppid
const watch = setInterval(() => {
  if (process.env.npm_lifecycle_event !== undefined && process.ppid !== parent) stop(0)
}, 200)
watch.unref()

/** The port `preferred` if it is free, otherwise any free port. */
function freePort(preferred) {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', () => (preferred === 0 ? reject(new Error('no free port')) : resolve(freePort(0))))
    probe.listen(preferred, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

/** Starts a part of the demo. `onLine` gets each line that it prints. When one part ends, all parts are stopped. */
function start(args, onLine, extraEnv = {}) {
  const child = spawn(sav, [...alone, ...args], {
    cwd: root,
    env: { ...env, ...extraEnv },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  createInterface({ input: child.stdout }).on('line', onLine)
  child.once('exit', (code, signal) => {
    if (stopping) return
    console.error(`sav ${args.slice(0, 2).join(' ')} has ended (${signal ?? `exit code ${code}`}): everything stops.`)
    stop(1)
  })
}

const receiverPort = await freePort(8099)
say('opening the database and seeding the demo')
execFileSync(sav, [...alone, 'init', '--yes'], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
const demo = JSON.parse(
  execFileSync(sav, [...alone, 'demo', '--json', '--receiver', `http://127.0.0.1:${receiverPort}/`], {
    cwd: root,
    env,
    encoding: 'utf8',
  }),
)

say('starting the demo receiver')
const heads = (line) => line.startsWith(' ') || console.log(`[receiver] ${line}`) // Leaves out indented payloads.
start(['webhooks', 'listen', '--port', String(receiverPort)], heads, { SAV_WEBHOOK_SECRET: demo.webhook.secret })

say('starting the API and its worker')
const port = process.env.SAV_PORT ?? String(await freePort(8080))
start(['serve', '--port', port], async (line) => {
  const url = /^listening on (\S+)$/.exec(line)?.[1]
  if (url === undefined) return console.log(line)
  const caseId = await openCase(url)
  const signIn = await invitation(port)
  console.log(`${line}\n${welcome({ url, key: demo.key, clientId: demo.clients[0].id, caseId, signIn })}`)
})

/** Creates a link that signs in once. */
async function invitation(port) {
  const { stdout } = await promisify(execFile)(sav, [...alone, 'users', 'invite', demo.utilisateur.id, '--json'], {
    cwd: root,
    env: { ...env, SAV_PORT: port },
  })
  return JSON.parse(stdout).url
}

/** The id of a case for the printed close command: an open one, or a new one. */
async function openCase(url) {
  const headers = { Authorization: `Bearer ${demo.key}`, 'Content-Type': 'application/json' }
  const list = await (await fetch(`${url}/api/v1/sav?statut=ouvert&limite=1`, { headers })).json()
  if (list.data.length > 0) return list.data[0].id
  const created = await fetch(`${url}/api/v1/sav`, {
    method: 'POST',
    headers: { ...headers, 'X-Request-Timestamp': String(Math.floor(Date.now() / 1000)) },
    body: JSON.stringify({
      client_id: demo.clients[0].id,
      description: 'Porte du meuble haut mal réglée, elle frotte.',
    }),
  })
  return (await created.json()).data.id
}

function welcome({ url, key, clientId, caseId, signIn }) {
  const auth = `-H 'Authorization: Bearer ${key}'`
  const write = `${auth} -H "X-Request-Timestamp: $(date +%s)" -H 'Content-Type: application/json'`
  return `
The console, in a browser (this link signs in once, within 15 minutes; another: npx sav users invite ${demo.utilisateur.id}):
  ${signIn}

The demo's API key (in sav-data/demo.json too):
  ${key}

Try it from another terminal; the receiver above prints each webhook as it arrives, verified.

# create a case
curl -s ${write} ${url}/api/v1/sav -d '{"client_id":${clientId},"description":"La charnière du placard grince.","priorite":"haute"}'

# list the open ones
curl -s ${auth} '${url}/api/v1/sav?statut=ouvert'

# close one: the evidence hash is in the answer
curl -s ${write} ${url}/api/v1/sav/${caseId}/cloturer -d '{"resolution":"Charnière remplacée et porte réglée."}'

# the appointments of this week, and where one more would fit
curl -s ${auth} '${url}/v1/planning'
curl -s ${auth} '${url}/v1/planning/creneaux?duree=90&code_postal=69002'

# refused: the answer names every bad field
curl -s ${write} ${url}/api/v1/sav -d '{"client_id":999999,"description":"court"}'

Ctrl-C stops everything.`
}
