import { describe, expect, it } from 'vitest'
import { receiverUrlProblem } from './receiver-url.js'

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
  ])('may be %s', (url) => {
    expect(inProduction(url)).toBeNull()
    expect(inDevelopment(url)).toBeNull()
  })

  it.each(['http://receiver.example/hooks', 'http://93.184.216.34/hooks', 'http://localhost:8080/hooks'])(
    'must speak https, but for local development: %s',
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
    'https://127.0.0.1/hooks',
    'https://127.1/hooks',
    'https://2130706433/hooks',
    'https://0x7f000001/hooks',
    'https://0177.0.0.1/hooks',
    'https://0.0.0.0/hooks',
    'https://10.0.0.1/hooks',
    'https://172.16.0.1/hooks',
    'https://172.31.255.255/hooks',
    'https://192.168.1.1/hooks',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/hooks',
    'https://224.0.0.1/hooks',
    'https://255.255.255.255/hooks',
    'https://[::1]/hooks',
    'https://[::]/hooks',
    'https://[::ffff:127.0.0.1]/hooks',
    'https://[::ffff:10.0.0.1]/hooks',
    'https://[fe80::1]/hooks',
    'https://[fd00::1]/hooks',
    'https://[64:ff9b::127.0.0.1]/hooks',
    'https://[2002:7f00:1::]/hooks',
  ])('must be public, but for local development: %s', (url) => {
    expect(inProduction(url)).toMatch(/public/)
    expect(inDevelopment(url)).toBeNull()
  })

  it.each([
    'https://172.15.255.255/hooks',
    'https://172.32.0.0/hooks',
    'https://11.0.0.0/hooks',
    'https://100.128.0.0/',
  ])('may be next to a private range: %s', (url) => {
    expect(inProduction(url)).toBeNull()
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
  ])('speaks nothing but http, not in development either: %s', (url) => {
    expect(inProduction(url)).not.toBeNull()
    expect(inDevelopment(url)).not.toBeNull()
  })

  it('carries no credentials in its URL, where every log would show them', () => {
    for (const url of ['https://user:pass@receiver.example/', 'https://user@receiver.example/'])
      expect(inProduction(url)).not.toBeNull()
  })
})
