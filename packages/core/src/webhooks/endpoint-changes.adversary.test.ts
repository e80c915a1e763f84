import { describe, expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import { ValidationError } from '../errors.js'

const url = 'https://receiver.example/hooks'
const headers = { Authorization: 'Bearer a token of the receiver', 'X-Shop': 'Lyon' }

describe('custom headers with a token', () => {
  const add = async () => {
    const { sav, posted, worker, clock } = await openSav()
    const { id } = await sav.webhooks.endpoints.add(as('default'), { url, events: ['sav.created'], headers })
    const sent = async () => {
      await sav.webhooks.endpoints.test(as('default'), id)
      worker.start()
      await clock.advance(1_000)
      await worker.stop()
      return posted.at(-1)
    }
    return { sav, id, sent }
  }

  it.each([
    'https://attacker.example/hooks',
    'https://receiver.example:8443/hooks',
    'https://receiver.example.attacker.example/hooks',
    'https://www.receiver.example/hooks',
  ])('are removed when the URL changes to %s', async (elsewhere) => {
    const { sav, id, sent } = await add()
    const changed = await sav.webhooks.endpoints.update(as('default'), id, { url: elsewhere, description: 'moved' })
    expect(changed.headers).toEqual([])
    const request = await sent()
    expect(request?.url).toBe(elsewhere)
    expect(JSON.stringify(request)).not.toContain('token of the receiver')
    // The headers do not come back with the old URL.
    expect((await sav.webhooks.endpoints.update(as('default'), id, { url })).headers).toEqual([])
  })

  it('are sent to a new URL if the same update sets both', async () => {
    const { sav, id, sent } = await add()
    await sav.webhooks.endpoints.update(as('default'), id, { url: 'https://new.example/', headers: { A: 'b' } })
    expect((await sent())?.headers).toMatchObject({ A: 'b' })
  })

  it.each(['https://receiver.example/other?path', 'https://RECEIVER.example:443/hooks'])(
    'are kept if the URL changes within the same origin: %s',
    async (same) => {
      const { sav, id, sent } = await add()
      await sav.webhooks.endpoints.update(as('default'), id, { url: same })
      expect((await sent())?.headers).toMatchObject(headers)
    },
  )
})

describe('a name with an address that is not public', () => {
  const addresses: Record<string, readonly string[]> = {
    'inside.example': ['10.0.0.7'],
    'metadata.example': ['169.254.169.254', '::1'],
    'intranet.example': ['10.1.2.3'],
    'both.example': ['10.0.0.7', '93.184.215.14'],
    'receiver.example': ['93.184.215.14'],
  }
  const lookUp = async (name: string) => {
    if (name === 'slow.example') return new Promise<never>(() => {})
    return addresses[name] ?? Promise.reject(new Error(`ENOTFOUND ${name}`))
  }
  const refused = { details: [{ field: 'url', message: expect.stringContaining('public address') }] }
  const input = (host: string) => ({ url: `https://${host}/`, events: ['sav.created' as const] })

  it.each(['inside.example', 'metadata.example'])('is refused when it is saved: %s', async (host) => {
    const { sav } = await openSav({ lookUp })
    const { endpoints } = sav.webhooks
    await expect(endpoints.add(as('default'), input(host))).rejects.toMatchObject(refused)
    await expect(endpoints.add(as('default'), input(host))).rejects.toThrow(ValidationError)
    const { id } = await endpoints.add(as('default'), input('receiver.example'))
    await expect(endpoints.update(as('default'), id, { url: `https://${host}/` })).rejects.toMatchObject(refused)
    expect((await endpoints.get('default', id)).url).toBe('https://receiver.example/')
  })

  it.each(['both.example', 'unknown.example'])(
    'can be saved if it also has a public address, or none yet: %s',
    async (host) => {
      const { sav } = await openSav({ lookUp })
      expect((await sav.webhooks.endpoints.add(as('default'), input(host))).url).toBe(`https://${host}/`)
    },
  )

  it('can be saved if the settings allow that address, and in local development', async () => {
    for (const receivers of [{ allowLocal: false, allowCidrs: ['10.1.0.0/16'] }, { allowLocal: true }]) {
      const { sav } = await openSav({ lookUp, receivers })
      await sav.webhooks.endpoints.add(as('default'), input('intranet.example'))
    }
  })

  it('is looked up for at most two seconds', async () => {
    const { sav, clock } = await openSav({ lookUp })
    let saved = false
    const adding = sav.webhooks.endpoints.add(as('default'), input('slow.example')).then(() => {
      saved = true
    })
    await clock.advance(1_999)
    expect(saved).toBe(false)
    await clock.advance(1)
    await adding
  })
})
