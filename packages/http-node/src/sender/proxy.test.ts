import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { listening, post, rawReceiver, read, receiver, selfSigned, sender } from '../../test/receivers.js'
import { ProxyAwayError } from './proxy-tunnels.js'
import { createSender } from './sender.js'

describe('a proxy', () => {
  /** A proxy that opens each requested tunnel, unless `refusal` is given. */
  async function proxy({ refusal = '', hangs = false } = {}) {
    const asked: (string | undefined)[] = []
    const server = createServer()
    server.on('connect', (req: IncomingMessage, socket: Socket) => {
      asked.push(req.url, req.headers['proxy-authorization'])
      if (hangs) return
      if (refusal !== '') return void socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`)
      const [host = '', port] = req.url?.split(':') ?? []
      // Only the proxy resolves names.
      const inside = connect({ host: host.endsWith('.example') ? '127.0.0.1' : host, port: Number(port) }, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        inside.pipe(socket).pipe(inside)
      })
      for (const each of [inside, socket])
        each.on('error', () => {}).on('close', () => void [inside, socket].map((s) => s.destroy()))
    })
    return { url: await listening(server), asked }
  }

  it('opens every connection, and sees only the target of each', async () => {
    const seen: unknown[] = []
    const receiverUrl = await receiver(async (req, res) => {
      seen.push([req.headers, await read(req)])
      res.end('ok')
    })
    const { port } = new URL(receiverUrl)
    const through = await proxy()
    const from = sender({ allowLocal: false, proxy: through.url.replace('//', '//jean:mot%20de%20passe@') })
    const result = await post(`http://receiver.example:${port}/`, { from, headers: { 'X-One': '1' } })
    expect(result).toMatchObject({ ok: true, response: 'ok' })
    const credentials = `Basic ${Buffer.from('jean:mot de passe').toString('base64')}`
    expect(through.asked).toEqual([`receiver.example:${port}`, credentials])
    expect(seen).toMatchObject([[{ host: `receiver.example:${port}`, 'x-one': '1' }, '{"event":"sav.created"}']])
    expect(JSON.stringify(seen)).not.toContain('proxy')
  })

  it.each(['https', 'http'])('that refuses to connect to an %s receiver makes the attempt fail', async (protocol) => {
    const through = await proxy({ refusal: '403 Forbidden' })
    const result = await post(`${protocol}://receiver.example/`, { from: sender({ proxy: through.url }) })
    expect(result).toMatchObject({ ok: false, status: null, error: 'the proxy could not open a connection' })
  })

  it('that cannot open a connection to the receiver counts as a failure of the receiver', async () => {
    for (const refusal of ['502 Bad Gateway', '504 Gateway Timeout']) {
      const through = await proxy({ refusal })
      const result = await post('https://receiver.example/', { from: sender({ proxy: through.url }) })
      expect(result).toMatchObject({ ok: false, error: 'the proxy could not open a connection', unreachable: true })
    }
  })

  it.each([
    ['closes', (socket: Socket) => void socket.end()],
    ['resets', (socket: Socket) => void socket.resetAndDestroy()],
    ['speaks something else', (socket: Socket) => void socket.end('SSH-2.0-OpenSSH\r\n')],
    ['refuses our password', (socket: Socket) => void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')],
  ])('that %s does not count as a failure of the receiver', async (_, answer) => {
    const url = await rawReceiver(answer)
    for (const protocol of ['https', 'http']) {
      const sending = post(`${protocol}://receiver.example/`, { from: sender({ proxy: url }) })
      await expect(sending).rejects.toThrow(ProxyAwayError)
    }
  })

  it('that refuses connections does not count as a failure of the receiver', async () => {
    const closed = createServer()
    const { port } = new URL(await listening(closed))
    await new Promise((resolve) => closed.close(resolve))
    const from = sender({ proxy: `http://127.0.0.1:${port}` })
    await expect(post('https://receiver.example/', { from })).rejects.toThrow(ProxyAwayError)
  })

  it('passes TLS through to the receiver', async () => {
    const url = await listening(
      createTlsServer(selfSigned, (_, res) => void res.end('ok')),
      'https',
    )
    const through = await proxy()
    const untrusted = await post(url, { from: sender({ proxy: through.url }) })
    expect(untrusted).toMatchObject({ ok: false, error: 'the TLS certificate is self-signed' })

    const before = getCACertificates('default')
    setDefaultCACertificates([...before, selfSigned.cert])
    const results = [await post(url, { from: sender({ proxy: through.url }) }), await post(url)]
    setDefaultCACertificates(before)
    expect(results).toMatchObject([
      { ok: true, response: 'ok' },
      { ok: true, response: 'ok' },
    ])
  })

  it('that hangs makes the attempt time out', async () => {
    const through = await proxy({ hangs: true })
    const result = await post('https://receiver.example/', { from: sender({ proxy: through.url }), timeoutMs: 200 })
    expect(result).toMatchObject({ ok: false, error: 'timed out after 0.2 s' })
  })

  it('is not asked to connect to an address that is not allowed', async () => {
    const through = await proxy()
    const from = sender({ allowLocal: false, allowCidrs: ['10.0.0.0/8'], proxy: through.url })
    expect(await post('https://192.168.1.1/', { from })).toMatchObject({ error: 'the address is not allowed' })
    expect(through.asked).toEqual([])
  })

  it.each(['', 'nonsense', 'socks5://127.0.0.1', 'ftp://127.0.0.1'])('cannot be %j', (url) => {
    expect(() => createSender({ userAgent: 'sav', allowLocal: false, proxy: url })).toThrow(RangeError)
  })
})
