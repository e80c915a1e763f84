import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { onLoopback } from '../on-loopback.js'
import { local, readyWorkplace } from '../workplace.js'
import { committer } from './committer.js'
import { storesFor } from './full-count.js'

/** A receiver that answers at once below `/healthy`, and never at another path. */
async function mixedReceiver() {
  const requests = { answered: 0, held: 0 }
  const server = createServer((request, response) => {
    request.resume()
    if (!request.url?.startsWith('/healthy')) {
      requests.held += 1
      return
    }
    requests.answered += 1
    response.end()
  })
  return { requests, origin: await onLoopback(server) }
}

it.each(storesFor('a SQLite file'))(
  'on %s, receivers that never answer have one attempt each in progress, and do not delay other receivers',
  async (_, settings) => {
    const shop = await readyWorkplace(await settings())
    const { sav, actor, commit } = await committer(shop)
    const { requests, origin } = await mixedReceiver()
    const add = (path: string) => sav.webhooks.endpoints.add(actor, { url: origin + path, events: ['sav.created'] })
    for (let n = 0; n < 20; n += 1) await add(`/hanging/${n}`)
    for (let n = 0; n < 2; n += 1) await add(`/healthy/${n}`)
    const service = shop.start('serve --port 0', { ...local, SAV_WEBHOOK_TIMEOUT: '60s' })
    await service.url()
    for (let n = 0; n < 5; n += 1) await commit()
    await expect.poll(() => requests.answered).toBe(10)
    expect(requests.held).toBe(20)
    await service.kill('SIGKILL')
  },
)
