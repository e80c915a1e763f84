import { describe, expect, it } from 'vitest'
import { addressRule, receiverUrlProblem } from './receiver-url.js'

const inProduction = (url: string) => receiverUrlProblem(url, { allowLocal: false })?.message ?? null
const inDevelopment = (url: string) => receiverUrlProblem(url, { allowLocal: true })?.message ?? null

describe('a receiver', () => {
  it.each([
    'https://receiver.example/hooks',
    'https://receiver.example',
    'https://receiver.example:8443/hooks?a=1',
    'HTTPS://Receiver.Example/hooks',
    'https://réception.example/hooks',
    'https://localhost.example/hooks',
    'https://93.184.216.34/hooks',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/hooks',
  ])('can be %s', (url) => {
    expect(inProduction(url)).toBeNull()
    expect(inDevelopment(url)).toBeNull()
  })

  it.each(['http://receiver.example/hooks', 'http://93.184.216.34/hooks', 'http://localhost:8080/hooks'])(
    'must use https, except in local development: %s',
    (url) => {
      expect(inProduction(url)).toMatch(/https/)
      expect(inDevelopment(url)).toBeNull()
    },
  )

  it.each([
    'https://localhost/hooks',
    'https://localhost.:8443/hooks',
    'https://LOCALHOST/hooks',
    'https://api.localhost/hooks',
    'https://127.1/hooks',
    'https://2130706433/hooks',
    'https://0x7f000001/hooks',
    'https://0177.0.0.1/hooks',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/hooks',
    'https://[::ffff:10.0.0.1]/hooks',
  ])('must be public, except in local development: %s', (url) => {
    expect(inProduction(url)).toMatch(/public/)
    expect(inDevelopment(url)).toBeNull()
  })

  it.each([
    '',
    'receiver.example/hooks',
    '/hooks',
    '//receiver.example/hooks',
    'https://',
    'https://[::1',
    'https://a b.example/',
    'hooks',
  ])('must be an absolute URL: %j', (url) => {
    expect(inProduction(url)).not.toBeNull()
    expect(inDevelopment(url)).not.toBeNull()
  })

  it.each([
    'ftp://receiver.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'ws://receiver.example/',
  ])('must use http or https, also in development: %s', (url) => {
    expect(inProduction(url)).not.toBeNull()
    expect(inDevelopment(url)).not.toBeNull()
  })

  it('cannot have credentials in its URL', () => {
    for (const url of ['https://user:pass@receiver.example/', 'https://user@receiver.example/'])
      expect(inProduction(url)).not.toBeNull()
  })
})

/** The words of a text, which white space separates. */
const words = (text: string) => text.trim().split(/\s+/)

describe('an address', () => {
  const isPublic = addressRule({ allowLocal: false })

  const outer = words(`
    8.8.8.8 1.1.1.1 172.15.255.255 172.32.0.1 2606:4700::1111 2a00:1450:4007::1 ::ffff:8.8.8.8 100.63.255.255
    100.128.0.0 198.17.255.255 198.20.0.0 168.63.129.15 2001:200:: 2001:db7:ffff::1 2001:db9:: 2003:: 3ffe:ffff::
    3fff:1000:: 64:ff9b::8.8.8.8 64:ff9b:1::8.8.8.8 64:ff9b:1:808:8:800:: 11.0.0.0 93.184.216.34
    2606:2800:220:1:248:1893:25c8:1946
  `)
  const inner = words(`
    0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.0.0.1 192.0.2.1 192.168.1.1 198.18.0.1
    203.0.113.1 224.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:a00:1
    64:ff9b::7f00:1 2001:db8::1 2002:7f00:1:: fc00::1 fd00:ec2::254 fe80::1 ff02::1 100.64.0.0 100.127.255.255
    100.100.100.200 168.63.129.16 192.0.0.192 192.88.99.1 198.18.0.0 198.19.255.255 198.51.100.1 239.255.255.255
    240.0.0.1 ::ffff:168.63.129.16 ::ffff:0:127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::10.0.0.1 64:ff9b::8.8.8.8%eth0
    64:ff9b:1::169.254.169.254 64:ff9b:1:a00:0:100:: 64:ff9b:1:0a00::8.8.8.8 64:ff9b:1:: 64:ff9b:2::8.8.8.8 100::1
    2001::1 2001:2::1 2001:1ff:ffff:: 2001:db8:ffff:: 2002:808:808::1 3fff::1 3fff:fff:: 4000::1 5f00::1
    fd20:ce::254 fe80::1%eth0 fec0::1 2606:4700::1111%eth0 127.1 0177.0.0.1 2130706433 127.0.0.1. localhost
    10.255.255.255 172.31.255.255
  `)

  it('must be public', () => {
    expect(outer.filter((ip) => !isPublic(ip))).toEqual([])
    expect([...inner, ''].filter(isPublic)).toEqual([])
  })

  it.each([
    // A CIDR allows nothing that the embedded IPv4 address does not.
    [['64:ff9b::/96'], '64:ff9b::a9fe:a9fe', false],
    [['64:ff9b::/96'], '64:ff9b::8.8.8.8', true],
    [['64:ff9b::a9fe:a9fe'], '64:ff9b::a9fe:a9fe', false],
    [['::/0'], '64:ff9b::a9fe:a9fe', false],
    [['10.1.0.0/16'], '64:ff9b::10.1.2.3', true],
    [['10.1.0.0/16'], '64:ff9b::10.2.2.3', false],
    // A CIDR with a local prefix sets its length.
    [[], '64:ff9b:1:fffe::8.8.8.8', false],
    [['64:ff9b:1:fffe::/96'], '64:ff9b:1:fffe::8.8.8.8', true],
    [['64:ff9b:1:fffe::/96'], '64:ff9b:1:fffe::a9fe:a9fe', false],
    [['64:ff9b:1:fffe::/96', '10.0.0.0/8'], '64:ff9b:1:fffe::10.1.2.3', true],
    [['64:ff9b:1::/48'], '64:ff9b:1:808:8:800::', true],
    [['64:ff9b:1::/48'], '64:ff9b:1:a9fe:a9:fe00::', false],
  ])('behind NAT64 with %j, %s is allowed: %s', (allowCidrs, ip, expected) => {
    expect(addressRule({ allowLocal: false, allowCidrs })(ip)).toBe(expected)
  })
})
