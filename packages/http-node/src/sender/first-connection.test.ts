import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { listening } from '../../test/receivers.js'
import { type ConnectionOptions, connectToFirst } from './first-connection.js'

const opened: (Socket | ChildProcess)[] = []
afterEach(() => {
  for (const one of opened.splice(0)) 'kill' in one ? one.kill('SIGKILL') : one.destroy()
})

const connection = (options: Omit<ConnectionOptions, 'timeoutMs'>) =>
  new Promise<Socket>((resolve, reject) => {
    connectToFirst({ timeoutMs: 30_000, ...options }, (error, socket) => {
      if (socket === null) return reject(error)
      opened.push(socket)
      resolve(socket)
    })
  })

/** The source of a process that listens and accepts no connection until `accept` is called. */
const busy = `
  const server = require('node:net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port))
    require('node:fs').readSync(0, Buffer.alloc(1))
  })`

/** A port of 127.0.0.1 that does not answer connections until `accept` is called. */
async function silentPort() {
  const child = spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'pipe', 'inherit'] })
  opened.push(child)
  const [printed] = await once(child.stdout, 'data')
  const port = Number(printed)
  // More connections than the queue of the listener holds.
  for (let n = 0; n < 8; n += 1) opened.push(connect({ host: '127.0.0.1', port }).on('error', () => {}))
  return { port, accept: () => child.stdin.write('!') }
}

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

describe('of several addresses', () => {
  it('the first may take until the time limit to answer, even if the others fail', async () => {
    const { port, accept } = await silentPort()
    const connecting = connection({ addresses: ['127.0.0.1', '::1'], port })
    await expect(connection({ addresses: ['::1'], port })).rejects.toThrow(/E(CONNREFUSED|ADDRNOTAVAIL|NETUNREACH)/)
    accept()
    expect((await connecting).remoteAddress).toBe('127.0.0.1')
  })

  it.runIf(hasIpv6)('the one that answers is used, and the attempts at the others are closed', async () => {
    const { port } = await silentPort()
    const server = createServer().listen(port, '::1')
    await once(server, 'listening')
    const socket = await connection({ addresses: ['127.0.0.1', '::1'], port })
    expect(socket.remoteAddress).toBe('::1')
    server.close()
  })

  it.each([
    ['ECONNREFUSED', ['127.0.0.1', '224.0.0.1']],
    ['ECONNREFUSED', ['224.0.0.1', '127.0.0.1']],
  ])('the most specific error is reported: %s', async (code, addresses) => {
    const server = createServer()
    const { port } = new URL(await listening(server))
    server.close()
    await once(server, 'close')
    await expect(connection({ addresses, port: Number(port) })).rejects.toMatchObject({ code })
  })

  it('no connection within the time limit is a timeout', async () => {
    const { port } = await silentPort()
    const connecting = new Promise((resolve) =>
      connectToFirst({ addresses: ['127.0.0.1'], port, timeoutMs: 50 }, (error) => resolve(error)),
    )
    expect(await connecting).toMatchObject({ code: 'ETIMEDOUT' })
  })
})
