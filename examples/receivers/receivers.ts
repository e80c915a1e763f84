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

/** A valid delivery, one with a changed character, and one signed six minutes ago. */
export async function deliveries(): Promise<Record<'signed' | 'tampered' | 'stale', Delivery>> {
  const body = JSON.stringify({
    event: 'sav.created',
    timestamp: new Date().toISOString(),
    data: { event_id: 'evt_1', id: 1842, reference: 'SAV-2026-01842' },
  })
  const signedAt = async (timestamp: number): Promise<Delivery> => ({
    body,
    headers: { 'content-type': 'application/json', ...(await sign({ id: 'evt_1', timestamp, body, secret })) },
  })
  const nowSeconds = Math.floor(Date.now() / 1000)
  const signed = await signedAt(nowSeconds)
  return {
    signed,
    tampered: { ...signed, body: body.replace('1842', '1843') },
    stale: await signedAt(nowSeconds - 6 * 60),
  }
}

export interface RunningReceiver extends AsyncDisposable {
  /** Sends the three deliveries, and expects that only the valid one is accepted. */
  judges(): Promise<void>
  /** Expects 405 for a GET request. */
  isForPosts(): Promise<void>
}

/** Starts a receiver as a reader would, and waits until it prints that it is waiting. */
export async function startReceiver(
  command: string,
  args: readonly string[],
  cwd = import.meta.dirname,
): Promise<RunningReceiver> {
  const port = await freePort()
  const env = { ...process.env, SAV_WEBHOOK_SECRET: secret, PORT: String(port) }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  for await (const line of createInterface({ input: child.stdout }))
    if (/^waiting$|Development Server .* started/.test(line)) break
  child.stdout.resume()
  const url = `http://127.0.0.1:${port}/webhooks/sav`
  const post = ({ body, headers }: Delivery) => fetch(url, { method: 'POST', body, headers })
  return {
    async judges() {
      const { signed, tampered, stale } = await deliveries()
      expect((await post(tampered)).status).toBe(401)
      expect((await post(stale)).status).toBe(401)
      expect((await post(signed)).status).toBe(200)
      expect((await post({ ...signed, headers: { 'content-type': 'application/json' } })).status).toBe(401)
    },
    async isForPosts() {
      const answer = await fetch(url)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
