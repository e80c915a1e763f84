import { describe, expect, it } from 'vitest'
import { behindNat64 } from './nat64.js'

describe('the IPv4 address behind NAT64', () => {
  // RFC 6052 §2.4, with the prefix of RFC 8215.
  it.each([
    ['64:ff9b::192.0.2.33', ['192.0.2.33']],
    ['64:ff9b::c000:221', ['192.0.2.33']],
    ['64:ff9b:1:c000:2:2100::', ['192.0.2.33', '2.33.0.0']],
    ['64:ff9b:1:c0:0:221::', ['192.0.2.33']],
    ['64:ff9b:1:0:c0:2:2100:0', ['192.0.2.33', '33.0.0.0']],
    ['64:ff9b:1::192.0.2.33', ['192.0.2.33']],
    ['64:ff9b:1::', []],
    ['64:ff9b:2::1', null],
    ['64:ff9b:0:0:0:1::1', null],
    ['64:ff9b::192.0.2.33%eth0', null],
    ['2001:db8::1', null],
    ['::ffff:192.0.2.33', null],
    ['192.0.2.33', null],
    ['receiver.example', null],
  ])('of %s is %j', (ip, expected) => {
    expect(behindNat64(ip)).toEqual(expected)
  })

  it.each([
    [48, '64:ff9b:1:c000:2:2100::'],
    [56, '64:ff9b:1:fec0:0:221::'],
    [64, '64:ff9b:1:fffe:c0:2:2100:0'],
    [96, '64:ff9b:1:fffe::192.0.2.33'],
  ])('is unique if the local prefix has a known length, %i bits: %s', (length, ip) => {
    expect(behindNat64(ip, length)).toEqual(['192.0.2.33'])
  })
})
