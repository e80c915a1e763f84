import { expect, it } from 'vitest'
import { runReadmeExample } from '../../../test/readme.js'
import { listen } from '../../http-node/src/node-server/listener.js'
import { openService } from '../../http-node/test/service.js'

it('the example of the README opens a case, plans it, finds it and closes it', async () => {
  const service = await openService()
  // The example uses the machine's clock, so the service's clock must agree with it.
  await service.clock.advance(Date.now() - service.clock.now())
  const listener = await listen(service.api, { host: '127.0.0.1', port: 0 })
  const key = await service.key(['sav:read', 'sav:write', 'planning:write', 'webhooks:write'])
  await using example = await runReadmeExample('client', { SAV_URL: listener.url, SAV_KEY: key })
  expect(await example.line()).toMatch(/^SAV-\d{4}-00001 is opened$/)
  expect(await example.line()).toBe('1 in all')
  expect(await example.line()).toMatch(/^SAV-\d{4}-00001: La porte du meuble bas ne ferme plus\.$/)
  expect(await example.line()).toBe('refused: 409 case_not_closed')
  expect(await example.line()).toMatch(/^SAV-\d{4}-00001 is closed$/)
  expect(await example.ended).toBe(0)
  await listener.close()
})
