import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { ceiling, percentile, type Row, type Settings, shown } from '#bench'
import { listen } from '#listen'
import { scratch, startServer } from '#processes'
import { fillShop } from '#shop'
import { shopEnv } from '#shop-env'

const warmUps = 20
const creations = 200
const limitMs = 20
const patienceMs = 5000

/** Between two creations the dispatcher is idle: its outcomes are recorded and its last claim found nothing. */
const idleMs = 25

/**
 * How long after the 201 of a creation its first attempt arrives, when nothing else is due: the 99th percentile of 200,
 * one at a time, on `sav serve`. Both instants are of this process. About 8 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  let arrived = (_at: number) => {}
  const receiver = createServer((request, response) => {
    arrived(performance.now())
    request.resume()
    response.end()
  })
  await using _ = receiver
  const url = `http://127.0.0.1:${(await listen(receiver)).port}/`
  using folder = scratch()
  const env = shopEnv(folder.path)
  const { key, clients } = await fillShop(folder.path, env, { cases: 0, days: 0, receivers: [url] })
  await using sav = await startServer([], { folder: folder.path, env })

  const delays: number[] = []
  for (let n = 0; n < warmUps + creations; n += 1) {
    const arrival = new Promise<number>((resolve) => {
      arrived = resolve
    })
    const answer = await fetch(`http://127.0.0.1:${sav.port}/api/v1/sav`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'X-Request-Timestamp': String(Math.floor(Date.now() / 1000)),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        client_id: clients[0],
        description: 'La porte du meuble haut frotte contre la corniche.',
      }),
    })
    const answeredAt = performance.now()
    if (answer.status !== 201) throw new Error(`expected 201, got ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
    const arrivedAt = await Promise.race([arrival, wait(patienceMs, Number.NaN, { ref: false })])
    if (Number.isNaN(arrivedAt)) throw new Error(`the delivery did not arrive within ${patienceMs} ms`)
    if (n >= warmUps) delays.push(Math.max(0, arrivedAt - answeredAt))
    await wait(idleMs)
  }
  say(`median ${shown(percentile(delays, 0.5))} ms, longest ${shown(percentile(delays, 1))} ms`)
  return [ceiling('wake', 'ms, p99', percentile(delays, 0.99), limitMs)]
}
