import { describe, expect, it } from 'vitest'
import { parseIpRange } from './ip-ranges.js'

describe('a range of addresses', () => {
  it.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '9.255.255.255', false],
    ['192.0.2.128/25', '192.0.2.128', true],
    ['192.0.2.128/25', '192.0.2.127', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.7/32', '192.0.2.7', true],
    ['192.0.2.7/32', '192.0.2.6', false],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['10.0.0.0/8', '::ffff:a01:203', true],
    ['10.0.0.0/8', '::ffff:11.1.2.3', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::', false],
    ['2001:db8::1', '2001:0db8:0:0:0:0:0:1', true],
    ['2001:db8::1', '2001:db8::2', false],
    ['::/0', '2001:db8::1', true],
    ['10.0.0.0/8', '', false],
    ['10.0.0.0/8', 'unknown', false],
  ])('%s contains %j: %s', (range, ip, expected) => {
    expect(parseIpRange(range)?.contains(ip)).toBe(expected)
  })

  it.each([
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0.256',
    '192.168.1/24',
    '010.0.0.1',
    '0x0a.0.0.1',
    '::ffff:10.0.0.5',
    '2001:db8::/129',
    '2001:db8',
    '10.0.0.1-10.0.0.9',
    '10.0.0.*',
    ' 10.0.0.1',
  ])('%j is refused, because it is not a range in plain notation', (text) => {
    expect(parseIpRange(text)).toBeUndefined()
  })
})
