import { describe, expect, it } from 'vitest'
import { as } from '../../test/composed.js'
import { apiRequest, doors, openService } from '../../test/service.js'
import { callerIp, type ForwardedHeader } from './caller-ip.js'

const ours = ['10.0.0.0/8', '2001:db8:1::/48', '127.0.0.1']

function seen(
  peer: string,
  headers: Record<string, string>,
  { trusted = ours, header: believed }: { trusted?: string[]; header?: ForwardedHeader } = {},
): string {
  return callerIp(trusted, believed)(apiRequest({ ip: peer, header: (name) => headers[name] }))
}

describe('the address of a caller', () => {
  it('is that of the peer, whatever the header, if the peer is not a trusted proxy', () => {
    const headers = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' }
    expect(seen('203.0.113.9', headers)).toBe('203.0.113.9')
    expect(seen('10.0.0.1', headers, { trusted: [] })).toBe('10.0.0.1')
    expect(seen('', headers)).toBe('')
  })

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['198.51.100.66, 192.0.2.1', '192.0.2.1'],
    ['192.0.2.1, 10.1.2.3', '192.0.2.1'],
    ['198.51.100.66, 192.0.2.1, 10.1.2.3, 10.9.9.9', '192.0.2.1'],
    ['10.1.2.3, 10.9.9.9', '10.1.2.3'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['198.51.100.66, 2001:db8:1::5', '198.51.100.66'],
    ['', '10.0.0.1'],
    ['unknown', '10.0.0.1'],
    ['192.0.2.1, nonsense', '10.0.0.1'],
    ['192.0.2.1, nonsense, 10.1.2.3', '10.1.2.3'],
    ['192.168.1, 10.1.2.3', '10.1.2.3'],
    ['192.0.2.0/24', '10.0.0.1'],
    ['192.0.2.1,', '10.0.0.1'],
  ])('behind a trusted proxy, with X-Forwarded-For %j, is %s', (header, ip) => {
    expect(seen('10.0.0.1', { 'x-forwarded-for': header })).toBe(ip)
  })

  it.each([
    ['for=192.0.2.1', '192.0.2.1'],
    ['For=192.0.2.1;proto=https;by=10.0.0.1', '192.0.2.1'],
    ['proto=https; for=192.0.2.1', '192.0.2.1'],
    ['for="[2001:db8::7]:4711"', '2001:db8::7'],
    ['for=198.51.100.66, for=192.0.2.1, for=10.1.2.3', '192.0.2.1'],
    ['for="192.0.2.1:80"', '192.0.2.1'],
    ['for=_hidden', '10.0.0.1'],
    ['for=unknown, for=10.1.2.3', '10.1.2.3'],
    ['proto=https', '10.0.0.1'],
    ['xfor=192.0.2.1', '10.0.0.1'],
    ['for="192.0.2.1, for=10.1.2.3', '10.1.2.3'],
  ])('behind a trusted proxy, with Forwarded %j, is %s', (header, ip) => {
    expect(seen('10.0.0.1', { forwarded: header }, { header: 'forwarded' })).toBe(ip)
  })

  it('comes only from the header that the proxies write', () => {
    const forwarded = 'for=192.0.2.1'
    const both = { forwarded, 'x-forwarded-for': '198.51.100.66' }
    expect(seen('10.0.0.1', both)).toBe('198.51.100.66')
    expect(seen('10.0.0.1', both, { header: 'forwarded' })).toBe('192.0.2.1')
    expect(seen('10.0.0.1', { forwarded })).toBe('10.0.0.1')
    expect(seen('10.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, { header: 'forwarded' })).toBe('10.0.0.1')
  })

  it('requires trusted proxies to be IP addresses or networks', () => {
    for (const bad of ['proxy.example', '10.0.0.0/33', '10.0', '']) expect(() => callerIp([bad])).toThrow(RangeError)
  })
})

describe.each(doors)('a key that is bound to an address, through $name', ({ open }) => {
  it('is accepted behind a trusted proxy; the header alone is not enough', async () => {
    for (const [trustedProxies, status] of [
      [['127.0.0.1'], 200],
      [['10.0.0.0/8'], 401],
      [[], 401],
    ] as const) {
      const service = await openService(undefined, { trustedProxies })
      const door = await open(service.api)
      const { key } = await service.sav.keys.create(as('default'), {
        nom: 'caisse',
        permissions: ['sav:read'],
        ips: ['192.0.2.0/24'],
      })
      const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': '198.51.100.66, 192.0.2.1' }
      expect((await door.call('GET', '/api/v1/sav', { headers })).status).toBe(status)
      await service.sav.audit.finish()
      expect(service.calls.at(-1)?.ip).toBe(status === 200 ? '192.0.2.1' : '127.0.0.1')
      await door.close()
    }
  })
})
