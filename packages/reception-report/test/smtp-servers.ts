import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface MailServer {
  readonly port: number
  /** The received mails, in the order of arrival. */
  readonly mails: ParsedMail[]
  /** The recipients of the envelopes. */
  readonly recipients: string[]
  /** The number of connections opened so far. */
  connections(): number
  /** Closes every connection, as a server does with idle ones. */
  hangUp(): void
  close(): Promise<void>
}

/** A real SMTP server on a free port, without TLS and passwords unless `options` say otherwise. */
export async function mailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ParsedMail[] = []
  const recipients: string[] = []
  let opened = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    logger: false,
    onConnect(_session, done) {
      opened += 1
      done()
    },
    onData(stream, session, done) {
      simpleParser(stream).then((mail) => {
        if (stream.sizeExceeded) return done(Object.assign(new Error('too big'), { responseCode: 552 }))
        mails.push(mail)
        recipients.push(...session.envelope.rcptTo.map(({ address }) => address))
        done(null, 'queued as 42')
      }, done)
    },
    ...options,
  })
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: portOf(listener.address()),
    mails,
    recipients,
    connections: () => opened,
    hangUp() {
      for (const connection of server.connections) connection.close()
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** A server that runs `talk` for each connection, on a free port. */
export async function rawServer(talk: (socket: Socket) => void): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    talk(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server.address()),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return address.port
}
