import { Agent, request } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../test/free-port.js'
import { needs } from '../../../test/needs.js'
import { nginxBefore } from './nginx.js'
import { migratedStore } from './stores.js'
import { local, readyWorkplace, type Workplace } from './workplace.js'

const isFull = process.env['SAV_TEST_FULL'] === '1'
const [restarts, apartMs] = isFull ? [10, 5000] : [2, 0]
const callers = 16

/** A service on a fixed port. `restart` replaces its process, as a service manager would. */
async function restartable(shop: Workplace) {
  const port = await freePort()
  const start = async () => {
    const process = shop.start(['serve', '--port', String(port)], { ...local, SAV_DRAIN: '1s' })
    return { process, url: await process.url() }
  }
  let running = await start()
  return {
    url: running.url,
    async restart() {
      expect(await running.process.kill('SIGTERM')).toMatchObject({ code: 0 })
      running = await start()
    },
  }
}

/** Clients that keep their connections, as the servers of other systems do. */
function clientsOf(port: number, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: callers, rejectUnauthorized: false })
  onTestFinished(() => agent.destroy())
  const text = JSON.stringify({ client_id: 1, description: 'La porte du four ne ferme plus.' })
  /** Resolves to the status of a complete answer, or to the message of an error. */
  return (method: 'GET' | 'POST') =>
    new Promise<number | string>((resolve) => {
      const failed = (error: Error) => resolve(error.message)
      const posted = {
        'content-type': 'application/json',
        'content-length': String(text.length),
        'x-request-timestamp': String(Math.floor(Date.now() / 1000)),
      }
      const headers = { authorization: `Bearer ${key}`, ...(method === 'POST' && posted) }
      const asked = { port, host: '127.0.0.1', path: '/api/v1/sav', method, headers, agent }
      const sent = request(asked, (answer) => {
        answer.once('error', failed).resume()
        answer.once('end', () => resolve(answer.statusCode ?? 0))
      }).once('error', failed)
      if (method === 'GET') return void sent.end()
      // The body is sent in two packets, so that the service waits for the second one.
      sent.write(text.slice(0, 10))
      setImmediate(() => sent.end(text.slice(10)))
    })
}

const hasNginx = needs('nginx', 'that no call is dropped by a restart, or beyond a limit')

it.runIf(hasNginx)(`no call fails while two services behind nginx restart ${restarts} times`, async () => {
  const settings = { SAV_DATABASE: await migratedStore(), SAV_RATE_LIMIT: 'off', SAV_LOG_LEVEL: 'warn' }
  const shop = await readyWorkplace(settings)
  const services = await Promise.all([restartable(shop), restartable(shop)])
  const { port, errors } = await nginxBefore(services.map(({ url }) => url))
  const call = clientsOf(port, await shop.newKey())
  const ends: (number | string)[] = []
  let isOver = false
  const load = Array.from({ length: callers }, async () => {
    while (!isOver) ends.push(await call('POST'), await call('GET'))
  })
  for (let n = 0; n < restarts; n += 1) {
    const since = performance.now()
    await services[n % 2]?.restart()
    await delay(Math.max(0, apartMs - (performance.now() - since)))
  }
  isOver = true
  await Promise.all(load)
  expect(ends.length).toBeGreaterThan(2 * callers)
  expect(
    ends.filter((end) => end !== 200 && end !== 201),
    await errors(),
  ).toEqual([])
})

it.runIf(hasNginx)('a call that the rate limit refuses does not break its client’s connection to nginx', async () => {
  const shop = await readyWorkplace({ SAV_RATE_LIMIT: 'reads=60/min,writes=60/min' })
  const { port } = await nginxBefore([(await shop.serveHere()).url])
  const call = clientsOf(port, await shop.newKey())
  const ends = await Promise.all(
    Array.from({ length: callers }, async () => {
      const own: (number | string)[] = []
      for (let n = 0; n < 20; n += 1) own.push(await call('POST'))
      return own
    }),
  )
  const { 201: made = [], 429: refused = [], ...others } = Object.groupBy(ends.flat(), (end) => String(end))
  expect([made.length + refused.length, others]).toEqual([20 * callers, {}])
  expect(refused.length).toBeGreaterThan(0)
})
