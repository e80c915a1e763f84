import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { committer, countOf } from './chaos/committer.js'
import { onLoopback } from './on-loopback.js'
import { migratedStore } from './stores.js'
import { local, readyWorkplace } from './workplace.js'

const attempts = 5

/** Puts the clock of a process ten minutes ahead, but not the one that measures durations. */
const ahead = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `const now = Date.now.bind(Date)
    globalThis.Date = class extends Date {
      constructor(...given) { given.length > 0 ? super(...given) : super(Date.now()) }
      static now() { return now() + 600_000 }
    }`,
  )}`,
}

/** A receiver that answers `/held…` only when `answer` is called, and records the delivery of each attempt. */
async function holdingReceiver() {
  const [held, arrived] = [[] as ServerResponse[], [] as string[]]
  const server = createServer((request, response) => {
    request.resume()
    arrived.push(`${request.headers['webhook-id']} ${request.url}`)
    if (request.url?.startsWith('/held')) held.push(response)
    else response.end()
    server.emit('arrived')
  })
  const origin = await onLoopback(server)
  return {
    url: origin,
    arrived,
    async has(count: number) {
      while (arrived.length < count) await once(server, 'arrived')
    },
    answer() {
      for (const response of held) response.end()
    },
  }
}

it('a service whose clock is ten minutes ahead takes no delivery from a worker, and reports the difference', async () => {
  const shop = await readyWorkplace({ SAV_DATABASE: await migratedStore() })
  const { sav, actor, storage, commit } = await committer(shop)
  const receiver = await holdingReceiver()
  const add = (path: string) => sav.webhooks.endpoints.add(actor, { url: receiver.url + path, events: ['sav.created'] })
  for (let n = 0; n < attempts; n += 1) await add(`/held/${n}`)
  await commit()
  const env = { ...local, SAV_METRICS: '127.0.0.1:0', SAV_WEBHOOK_TIMEOUT: '60s' }
  const worker = shop.start('worker', env)
  await receiver.has(attempts)

  const service = shop.start('serve --port 0', { ...env, ...ahead })
  const url = await service.url()
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ data: { ecart_horloge_ms: expect.any(Number) } })
  const doctor = await shop.start('doctor --json', ahead).ended()
  const { warnings } = JSON.parse(doctor.stdout)
  expect(warnings).toContainEqual(expect.stringMatching(/^The clock of the database differs by -\d{6} ms/))
  // While the worker is paused, only the service, whose clock is ahead, can read the queue and deliver these events.
  worker.process.kill('SIGSTOP')
  await add('/free')
  await commit()
  await receiver.has(2 * attempts + 1)
  worker.process.kill('SIGCONT')
  receiver.answer()
  await expect.poll(() => countOf(storage, 'delivered')).toBe(2 * attempts + 1)
  expect(new Set(receiver.arrived).size).toBe(receiver.arrived.length)
  const metricsOf = async (process: typeof worker) => {
    const [, metrics = ''] = await process.prints(/"metrics on (http:[^"]+)"/, 'stderr')
    return (await fetch(metrics)).text()
  }
  for (const process of [worker, service])
    expect(await metricsOf(process)).toMatch(/^sav_delivery_leases_lost_total 0$/m)
  const [, difference] = /^sav_clock_difference_seconds (\S+)$/m.exec(await metricsOf(service)) ?? []
  expect(Math.abs(Number(difference) + 600)).toBeLessThan(5)
})
