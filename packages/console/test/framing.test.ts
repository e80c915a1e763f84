import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Frame } from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { needs } from '../../../test/needs.js'
import { committer } from '../../cli/test/chaos/committer.js'
import { rdvPageStore } from '../../planning/src/customers/rdv-page-store.js'
import { it } from './browser.js'
import { busyDay, livelyShop } from './screens.js'

const hasBrowser = needs('chromium', 'that no other page shows ours in a frame')

describe.runIf(hasBrowser)('a page with frames', () => {
  it('cannot show the console, customers’ pages or reports in them, whatever its origin', async ({ openShop }) => {
    const shop = await openShop()
    const { page, open, api, workplace } = shop
    await livelyShop(shop)
    await open('/')
    const { origin } = new URL(page.url())
    const { hash_sha256 } = (await api('GET', '/api/v1/sav/1/preuve')).body.data
    const { storage } = await committer(workplace)
    const secret = `sav_rdv_${'x'.repeat(43)}`
    await storage.transaction((tx) =>
      tx.of(rdvPageStore).add({ hash: hash('sha256', secret), account_id: 'default', rdv_id: 1 }),
    )
    const ours = [
      '/app',
      `/app/planning?date=${busyDay}`,
      `/verifier/${hash_sha256}`,
      `/rdv/${secret}`,
      '/api/v1/compte/apercu-pv',
    ]
    for (const path of ours)
      expect([path, await page.evaluate(async (url) => (await fetch(url)).status, path)]).toEqual([path, 200])

    // /healthz may be framed, which shows that the check would notice a page in a frame.
    const body = [...ours, '/healthz'].map((path) => `<iframe src="${origin}${path}"></iframe>`).join('')
    const elsewhere = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(body))
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(async () => {
      const closed = once(elsewhere, 'close')
      elsewhere.close()
      elsewhere.closeAllConnections()
      await closed
    })
    const address = elsewhere.address()
    const port = typeof address === 'object' ? address?.port : address
    await page.route(`${origin}/somebody`, (route) => route.fulfill({ contentType: 'text/html', body }))
    for (const other of [origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
      await page.goto(`${other}/somebody`)
      const inside = page.mainFrame().childFrames()
      const report = other === origin ? '' : expect.stringContaining('"success":false')
      const control = expect.stringContaining('"success":true')
      expect([other, ...(await Promise.all(inside.map(textOf)))]).toEqual([other, '', '', '', '', report, control])
    }
  })
})

/** The text of the frame; empty if Chromium refused to show the page. */
async function textOf(frame: Frame): Promise<string> {
  // The URL of the document, since that of the frame is updated later.
  const [url, text] = (await frame.evaluate('[location.href, document.body.innerText]')) as [string, string]
  return url.startsWith('chrome-error:') ? '' : `${url} ${text}`
}
