import { expect, it } from 'vitest'
import { as } from '../../test/composed.js'
import { fetchDoor, openService } from '../../test/service.js'

const proxy = '127.0.0.1'
const stranger = '198.51.100.66'

it('a stranger behind a trusted proxy has only their own address, whatever other header they send', async () => {
  const service = await openService(undefined, { trustedProxies: [proxy] })
  const door = fetchDoor(service.api)
  const ofTheHouse = { nom: 'caisse', permissions: ['sav:read' as const], ips: [proxy] }
  const { key } = await service.sav.keys.create(as('default'), ofTheHouse)

  for (const forwarded of ['for=192.0.2.1', `for=${proxy}`, 'for=unknown', 'nonsense', '']) {
    // What the proxy appends, and what it hands on unread.
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': stranger, forwarded }
    expect((await door.call('GET', '/api/v1/sav', { headers })).status).toBe(401)
    await service.sav.audit.finish()
    expect(service.calls.at(-1)?.ip).toBe(stranger)
  }
})
