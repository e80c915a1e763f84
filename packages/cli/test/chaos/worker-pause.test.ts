import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { onLoopback } from '../on-loopback.js'
import { local, readyWorkplace } from '../workplace.js'
import { committer, countOf, endLeases } from './committer.js'
import { isFullCount, storesFor } from './full-count.js'

/** The number of endpoints, each with one attempt in progress when the process is paused. */
const attempts = isFullCount ? 100 : 5
/** The timeout is so long that the first attempt has not ended when the last one begins. */
const env = { ...local, SAV_WEBHOOK_TIMEOUT: '30s', SAV_WEBHOOK_CONCURRENCY: '400,1' }
const leaseMs = 40_000

describe.each(storesFor('a SQLite file'))('on %s', (_, settings) => {
  it(`a process paused beyond its lease overwrites none of its successor’s ${attempts} results`, async () => {
    const shop = await readyWorkplace(await settings())
    const { sav, actor, storage, commit } = await committer(shop)
    const held: ServerResponse[] = []
    let holding = true
    const server = createServer((request, response) => {
      request.resume()
      if (!holding) response.end('from the second process')
      else if (held.push(response) === attempts) server.emit('all held')
    })
    const origin = await onLoopback(server)
    const url = `${origin}/`
    for (let n = 0; n < attempts; n += 1) await sav.webhooks.endpoints.add(actor, { url, events: ['sav.created'] })

    const allHeld = once(server, 'all held')
    await commit()
    const first = shop.start('worker', env)
    await allHeld
    first.process.kill('SIGSTOP')
    holding = false
    for (const response of held) response.writeHead(500).end('to the first process')

    await (isFullCount ? delay(leaseMs) : endLeases(storage))
    const second = shop.start('worker', env)
    await expect.poll(() => countOf(storage, 'delivered')).toBe(attempts)
    first.process.kill('SIGCONT')
    const dropped = () => first.stderr.split('outcome dropped').length - 1
    await expect.poll(dropped).toBe(attempts)

    expect(await countOf(storage, 'delivered')).toBe(attempts)
    const recorded = await storage.db.selectFrom('attempts').select(['n', 'status', 'response']).execute()
    expect(recorded).toEqual(Array(attempts).fill({ n: 1, status: 200, response: 'from the second process' }))
    expect(await first.kill('SIGTERM')).toMatchObject({ code: 0 })
    expect(await second.kill('SIGTERM')).toMatchObject({ code: 0 })
  })
})
