import { describe, expect, it } from 'vitest'
import { fetchDoor, openService } from '../../test/service.js'

const encoded = (text: string) => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')

describe('a secret or a name in a path', () => {
  it('reaches neither the audit nor the log, however it is written', async () => {
    const service = await openService()
    const door = fetchDoor(service.api)
    const { key, sav, calls } = service
    const bearer = await key(['sav:read'])
    const tail = bearer.slice('sav_live_'.length)
    const paths = [
      `/api/v1/sav/${bearer}`,
      `/api/v1/nothing/${bearer}/more`,
      `/api/v1/nothing;key=${bearer}`,
      `/${bearer.toUpperCase()}`,
      `/sav%5Flive%5f${tail}`,
      `/sav%255Flive_${tail}`,
      `/${encoded(bearer)}`,
      `/api/v1/nothing/${tail}`,
      `/api/v1/sav%3Fkey=${bearer}`,
      `/api/v1/sav?key=${bearer}`,
      `/api/v1/nothing?${bearer}`,
      `/api/v1/sav%2F${bearer}`,
      `/%zz/${encoded('sav_live_')}${tail}`,
      `/whsec_${tail}`,
      `/Bearer%20${tail}`,
      `/sav:hunter2@sav.example/${tail}`,
      '/api/v1/clients/hunter2@example.com/sav',
      '/api/v1/hunter2',
      '/api/v1/sav/hunter2',
    ]
    for (const path of paths) for (const headers of [service.auth(), {}]) await door.call('GET', path, { headers })
    await sav.serving.start()
    await sav.serving.stop()
    const told = JSON.stringify([
      calls,
      (await sav.audit.list('default', { limite: 200 })).items,
      (await sav.audit.list('', { limite: 200 })).items,
    ])
    expect(calls.reduce((sum, { calls: counted = 1 }) => sum + counted, 0)).toBe(paths.length * 2)
    for (const secret of [bearer, tail, encoded(tail), 'hunter2'])
      expect(told.toLowerCase().includes(secret.toLowerCase()), secret).toBe(false)
  })
})
