import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import type { HttpSender, SendResult } from '@sav/core/ports'
import { createSender, type SenderOptions } from '../src/sender/sender.js'
import { type NameServer, nameServer } from './name-server.js'

const opened: { close(): Promise<unknown> }[] = []

/** For `afterEach`: closes senders, receivers and name servers of a test. */
export async function closeReceivers(): Promise<void> {
  for (const one of opened.splice(0).reverse()) await one.close()
}

export function sender(options: Partial<SenderOptions> = {}): HttpSender {
  const made = createSender({ userAgent: 'sav/1.2.3', allowLocal: true, ...options })
  opened.push(made)
  return made
}

/** See nameServer. */
export async function namesOf(answerFor: Parameters<typeof nameServer>[0]): Promise<NameServer> {
  const server = await nameServer(answerFor)
  opened.push(server)
  return server
}

export async function listening(server: Server | TcpServer, protocol = 'http'): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve)
      for (const socket of sockets) socket.destroy()
    })
  opened.push({ close })
  const address: AddressInfo | string | null = server.address()
  return `${protocol}://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

export const receiver = (listener: RequestListener) => listening(createServer(listener))

/** A receiver that answers each connection's first bytes with bytes of its own. */
export const rawReceiver = (answer: (socket: Socket) => void) =>
  listening(createTcpServer((socket) => socket.on('error', () => {}).once('data', () => answer(socket))))

export const post = (
  url: string,
  { timeoutMs = 5000, from = sender(), headers = {}, account_id = 'default' } = {},
): Promise<SendResult> => from.post({ account_id, url, headers, body: '{"event":"sav.created"}', timeoutMs })

export async function read(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of req) text += chunk
  return text
}

/** Made for these tests by openssl, valid until 2126. */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFSGW2Bce46CzvTsK
yyIFnZXbxgOsM5rionVqgBvAxNahRANCAARdADkMWEMbbkDadt4SCzPIQdY2BiwC
iOQp60KRFwEW4XI25h5/DIooBg3ap5RRwUnKmdkgAI4WSKHL7nRwL+/H
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUGjLMK1sh1/SGztRWVavThVzQMrkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAxMzUxOFoYDzIxMjYxMDI4
MDEzNTE4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARdADkMWEMbbkDadt4SCzPIQdY2BiwCiOQp60KRFwEW4XI25h5/DIoo
Bg3ap5RRwUnKmdkgAI4WSKHL7nRwL+/Ho28wbTAdBgNVHQ4EFgQUj5hr3009E2Io
zuAkKNK+foEz4CwwHwYDVR0jBBgwFoAUj5hr3009E2IozuAkKNK+foEz4CwwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAPNEEYNRXFxulg994v5hBYD8oZfjJKObGXR7BXrJqSUyAiEA
zhiA3GhklyRzNDtiMMQKRSoUpdPWUtgiyPr9nNOxICM=
-----END CERTIFICATE-----`,
}
