/**
 * Receivers that do what receivers should not, in a process of their own, so that their memory is not the sender's.
 * The process runs this file unbuilt, so the file imports nothing of ours. The process sends the receivers' URLs to its
 * parent, and ends with it.
 */
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const gigabyte = 1024 ** 3
const chunk = Buffer.alloc(64 * 1024, 'x')

/** 64 MiB of zeros, compressed to 64 KiB. */
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))

/** Writes `chunk` as fast as the reader takes it, until `left` bytes are written or the reader has disconnected. */
function pour(socket: Socket, left: number): void {
  for (let rest = left; rest > 0 && !socket.destroyed; rest -= chunk.length)
    if (!socket.write(chunk)) return void socket.once('drain', () => pour(socket, rest - chunk.length))
  socket.end()
}

/** Writes one byte every `everyMs` until the reader has disconnected. */
function drip(socket: Socket, everyMs: number): void {
  const timer = setInterval(() => socket.write('x'), everyMs)
  socket.once('close', () => clearInterval(timer))
}

const raw: Record<string, (socket: Socket) => void> = {
  'hangs at the headers': () => {},
  'hangs in its headers': (socket) => socket.write('HTTP/1.1 200 OK\r\nx: y\r\n'),
  'hangs after a 1xx': (socket) => socket.write('HTTP/1.1 102 Processing\r\n\r\n'),
  'hangs in the body of a 200': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
  'hangs in the body of a 500': (socket) => socket.write('HTTP/1.1 500 No\r\ncontent-length: 9\r\n\r\nhalf'),
  'drips its headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx: ')
    drip(socket, 100)
  },
  'drips the body of a 200': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n')
    drip(socket, 100)
  },
  'drips the body of a 503': (socket) => {
    socket.write('HTTP/1.1 503 Busy\r\ncontent-length: 1000000\r\n\r\n')
    drip(socket, 100)
  },
  'resets before an answer': (socket) => socket.resetAndDestroy(),
  'resets in the body of a 200': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf', () => socket.resetAndDestroy())
  },
  'closes before an answer': (socket) => socket.end(),
  'answers a gigabyte': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${gigabyte}\r\n\r\n`)
    pour(socket, gigabyte)
  },
  'answers without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    pour(socket, Number.POSITIVE_INFINITY)
  },
  'answers a 500 without end': (socket) => {
    socket.write('HTTP/1.1 500 No\r\n\r\n')
    pour(socket, Number.POSITIVE_INFINITY)
  },
  'answers headers without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx: ')
    pour(socket, Number.POSITIVE_INFINITY)
  },
  'answers a chunk of any size': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n')
    pour(socket, gigabyte)
  },
  'announces too many bytes': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nshort'),
  'announces too few bytes': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nmuch too long'),
  'announces no number of bytes': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\nx'),
  'announces two lengths': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc'),
  'does not speak HTTP': (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  'answers twice': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'),
}

const polite: Record<string, RequestListener> = {
  'answers a bomb': (_, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  ...Object.fromEntries(
    [200, 204, 299, 300, 301, 302, 307, 400, 401, 404, 410, 429, 500, 503].map((status): [string, RequestListener] => [
      `answers ${status}`,
      (_, res) => res.writeHead(status, { location: '/', 'retry-after': '3600' }).end(),
    ]),
  ),
}

/** Self-signed for these tests; it expired in 2021. */
export const expired = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglI6rauYbJHl3jTIH
jRvvTh+mX7Uq4ZgLHCT4fvwn6GuhRANCAAT5lvl2YrrviJvwxm01K0AQL45YqCgW
vRmsh7qAPvjSnFywGFPNo3L5hGdaJZpVAGQiKr1zzGfjiLH986SOkImR
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBZTCCAQugAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT5lvl2YrrviJvwxm01
K0AQL45YqCgWvRmsh7qAPvjSnFywGFPNo3L5hGdaJZpVAGQiKr1zzGfjiLH986SO
kImRo04wTDAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwDwYDVR0TAQH/BAUw
AwEB/zAdBgNVHQ4EFgQUu5FtLTGCSJ8AO821isTDsE23DKIwCgYIKoZIzj0EAwID
SAAwRQIgZQCWOy/Z24GHvBx0CnOAmfLMj9+SW1G4rfWugZqUWPcCIQDrjSsjmbe+
NpONMBNcgT9VoSe2687VWQwj/LakU/KLcA==
-----END CERTIFICATE-----`,
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

async function open(): Promise<Record<string, string>> {
  const urls: Record<string, string> = {}
  for (const [name, answer] of Object.entries(raw)) {
    const server = createTcpServer((socket) => socket.on('error', () => {}).once('data', () => answer(socket)))
    urls[name] = `http://127.0.0.1:${await listening(server)}/`
  }
  for (const [name, listener] of Object.entries(polite))
    urls[name] = `http://127.0.0.1:${await listening(createServer(listener))}/`
  const tls = createTlsServer(expired, (_, res) => void res.end())
  urls['has an expired certificate'] = `https://127.0.0.1:${await listening(tls.on('tlsClientError', () => {}))}/`
  const plain = createServer((_, res) => void res.end())
  urls['speaks no TLS'] = `https://127.0.0.1:${await listening(plain)}/`
  const silent = createTcpServer((socket) => socket.on('error', () => {}))
  urls['hangs in the TLS handshake'] = `https://127.0.0.1:${await listening(silent)}/`
  return urls
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on('disconnect', () => process.exit())
  process.send?.(await open())
}
