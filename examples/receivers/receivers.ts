import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { sign } from '@sav/webhook-verify'
import { expect } from 'vitest'
import { freePort } from '../../test/free-port.js'

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

export interface Delivery {
  readonly body: string
  readonly headers: Record<string, string>
}

/** One that is to be believed, and the same with one letter changed. */
export async function deliveries(): Promise<{ readonly signed: Delivery; readonly tampered: Delivery }> {
  const body = JSON.stringify({
    event: 'sav.created',
    timestamp: new Date().toISOString(),
    data: { event_id: 'evt_1', id: 1842, reference: 'SAV-2026-01842' },
  })
  const signatures = await sign({ id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body, secret })
  const headers = { 'content-type': 'application/json', ...signatures }
  return { signed: { body, headers }, tampered: { body: body.replace('1842', '1843'), headers } }
}

export interface RunningReceiver extends AsyncDisposable {
  /** Sends both deliveries, and expects the answers that they deserve. */
  judges(): Promise<void>
}

/** Starts a receiver as its reader would, and waits until it says that it waits. */
export async function startReceiver(
  command: string,
  args: readonly string[],
  cwd = import.meta.dirname,
): Promise<RunningReceiver> {
  const port = await freePort()
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  for await (const line of createInterface({ input: child.stdout })) if (line === 'waiting') break
  child.stdout.resume()
  const post = ({ body, headers }: Delivery) =>
    fetch(`http://127.0.0.1:${port}/webhooks/sav`, { method: 'POST', body, headers })
  return {
    async judges() {
      const { signed, tampered } = await deliveries()
      expect((await post(tampered)).status).toBe(401)
      expect((await post(signed)).status).toBe(200)
      expect((await post({ ...signed, headers: { 'content-type': 'application/json' } })).status).toBe(401)
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
