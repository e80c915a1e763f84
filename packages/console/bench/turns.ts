// node packages/console/bench/turns.ts BEFORE AFTER: compares two builds of the pages (packages/console/dist/app of
// each checkout), alternately in one Chromium at a quarter of this machine's speed, on the demo's store. It prints the
// medians and their ratio.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createConsole } from '@sav/console'
import { chromium, type Page } from 'playwright-core'

const rounds = 7
const slowness = 4
/** How long a user looks at the first screen before the next click. */
const lookMs = 3000
const sav = join(import.meta.dirname, '../../../node_modules/.bin/sav')

const [before, after] = process.argv.slice(2)
if (before === undefined || after === undefined) throw new Error('turns.ts needs two folders of built pages')

const folder = mkdtempSync(join(tmpdir(), 'sav-turns-'))
const env = {
  ...process.env,
  SAV_DATABASE: `sqlite:${join(folder, 'sav.db')}`,
  SAV_WEBHOOK_ALLOW_LOCAL: '1',
  SAV_LOG_LEVEL: 'error',
}
const run = (...args: string[]) => execFileSync(sav, [...args, '--json'], { env, cwd: folder, encoding: 'utf8' })

run('init')
run('demo', '--receiver', 'http://127.0.0.1:9/')
const person = ['--nom', 'Claire Petit', '--email', 'claire@atelier.example', '--role', 'administration']
const { id } = JSON.parse(run('users', 'add', ...person))
const { url } = JSON.parse(run('users', 'invite', id))
const service = spawn(sav, ['serve', '--port', '0'], { env, cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
const serviceUrl = await new Promise<string>((found) => {
  service.stdout.on('data', (text) => {
    const [, address] = /listening on (http:\S+)/.exec(String(text)) ?? []
    if (address !== undefined) found(address)
  })
})

/** Serves the pages of a build, and forwards every other request to the shared service. */
async function openSide(directory: string): Promise<{ origin: string; server: Server }> {
  const pages = createConsole({ directory: resolve(directory) })
  const server = createServer(async (asked, answer) => {
    const { url: target = '', method = 'GET', headers } = asked
    if (target.startsWith('/app') && !target.startsWith('/app/session/')) {
      const header = (name: string) => headers[name]?.toString()
      const { status, headers: told, body } = await pages({ method, target, header })
      answer.writeHead(status, told).end(body)
      return
    }
    asked.pipe(
      request(`${serviceUrl}${target}`, { method, headers }, (said) => {
        answer.writeHead(said.statusCode ?? 502, said.headers)
        said.pipe(answer)
      }),
    )
  })
  await new Promise<void>((there) => server.listen(0, '127.0.0.1', there))
  const address = server.address()
  return { origin: `http://localhost:${typeof address === 'object' ? address?.port : 0}`, server }
}

const sides = { before: await openSide(before), after: await openSide(after) }
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
const context = await browser.newContext({ locale: 'fr-FR', viewport: { width: 1280, height: 900 } })
const { origin } = sides.before
await context.request.post(`${origin}/app/session/invitation`, {
  headers: { 'X-Sav-Console': '1', Origin: origin },
  data: { token: new URL(url).hash.slice(1) },
})

/** Milliseconds until something is visible, from the start of the page or the next click. */
const shownAt = (page: Page, what: string) =>
  page.evaluate<number>(`new Promise((shown) => {
    const look = () => document.querySelector('${what}')
      ? setTimeout(() => shown(performance.now() - (globalThis.pressedAt ?? 0)))
      : requestAnimationFrame(look)
    look()
  })`)

async function measured(side: keyof typeof sides) {
  const page = await context.newPage()
  const tools = await context.newCDPSession(page)
  await page.addInitScript(`addEventListener('click', ({ timeStamp }) => { globalThis.pressedAt = timeStamp }, true)`)
  await tools.send('Network.clearBrowserCache')
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  await page.goto(`${sides[side].origin}/app/dossiers`)
  const firstUse = await shownAt(page, 'tbody a')
  await page.waitForTimeout(lookMs)
  await page.getByRole('link', { name: 'Planning', exact: true }).click()
  const week = await shownAt(page, '.visit-card')
  await page.close()
  return { 'first use': firstUse, 'the week': week }
}

const all = { before: [], after: [] } as Record<keyof typeof sides, Awaited<ReturnType<typeof measured>>[]>
await measured('before')
await measured('after')
for (let round = 0; round < rounds; round += 1)
  for (const side of round % 2 ? (['after', 'before'] as const) : (['before', 'after'] as const))
    all[side].push(await measured(side))

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
for (const what of ['first use', 'the week'] as const) {
  const [a, b] = [all.before, all.after].map((each) => median(each.map((one) => one[what])))
  console.log(
    `${what}: ${a?.toFixed(0)} ms before, ${b?.toFixed(0)} ms after, ratio ${((b ?? 0) / (a ?? 1)).toFixed(2)}`,
  )
}
await browser.close()
for (const { server } of Object.values(sides)) server.close()
service.kill('SIGTERM')
rmSync(folder, { recursive: true, force: true })
