import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { local, readyWorkplace } from '../workplace.js'
import { isFullCount } from './full-count.js'

it.runIf(isFullCount)('a service ends within 10 s of a SIGTERM even if a receiver hangs', async () => {
  const shop = await readyWorkplace()
  const reached = Promise.withResolvers<void>()
  const hanging = createServer(() => reached.resolve()).listen(0, '127.0.0.1')
  onTestFinished(() => {
    hanging.close()
    hanging.closeAllConnections()
  })
  await once(hanging, 'listening')
  const address = hanging.address()
  const port = typeof address === 'object' ? address?.port : 0
  await shop.json(['webhooks', 'add', `http://127.0.0.1:${port}`, '--all-events'], local)
  await shop.newCase('Pour celui qui se tait')
  const service = shop.start('serve --port 0', { ...local, SAV_WEBHOOK_TIMEOUT: '60s' })
  await reached.promise
  const { code, stderr } = await service.kill('SIGTERM')
  expect(code).toBe(0)
  // Reads the duration from the log, because on a busy machine this test may notice the exit later.
  const [, durationMs] = /"duration_ms":(\d+),"msg":"stopped"/.exec(stderr) ?? []
  expect(Number(durationMs)).toBeLessThan(10_000)
})
