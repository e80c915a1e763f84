import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownTime } from '../../../test/own-time.js'
import { createSender } from '../src/sender/sender.js'
import { openZoo, receivers, type Zoo } from './zoo-keeper.js'

const attempts = 1000
const atOnce = 64
const MiB = 1024 * 1024

describe.skipIf(process.env['SAV_TEST_CHAOS'] !== '1')(
  'a thousand attempts, spread over every kind of receiver,',
  () => {
    let zoo: Zoo

    beforeAll(async () => {
      zoo = await openZoo()
    })
    afterAll(() => zoo.close())

    it('all end within 5.5 s, and take less than 50 MiB more memory', { timeout: 600_000 }, async () => {
      const sender = createSender({ userAgent: 'sav', allowLocal: true })
      const names = Object.keys(receivers)
      let slowest = { name: '', ms: 0 }
      let most = 0

      async function round(total: number): Promise<void> {
        let begun = 0
        async function lane(): Promise<void> {
          while (begun < total) {
            const name = names[begun++ % names.length] ?? ''
            const took = ownTime()
            await sender.post({ account_id: 'default', url: zoo.url(name), headers: {}, body: '{}', timeoutMs: 5000 })
            const ms = took()
            if (ms > slowest.ms) slowest = { name, ms }
            most = Math.max(most, process.memoryUsage().rss)
          }
        }
        await Promise.all(Array.from({ length: atOnce }, lane))
      }

      // The first attempts load and compile code, which is no leak.
      await round(2 * names.length)
      const before = process.memoryUsage().rss
      most = before
      await round(attempts)
      await sender.close()
      const grownMiB = (most - before) / MiB
      console.log(`slowest: ${slowest.name}, ${Math.round(slowest.ms)} ms; memory grew by ${Math.round(grownMiB)} MiB`)
      expect(slowest.ms, slowest.name).toBeLessThan(5500)
      expect(grownMiB).toBeLessThan(50)
    })
  },
)
