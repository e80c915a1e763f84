import { describe, expect, it } from 'vitest'
import { RawClient, requestHead, statusesIn } from './raw-socket.js'
import { type ServedProcess, serve } from './served-process.js'

const isFull = process.env['SAV_TEST_CHAOS'] === '1'
const bodyBytes = isFull ? 12_000_000 : 400_000
const heapMiB = isFull ? 512 : 64
const MiB = 1024 * 1024

/** Sends a body in chunks of one byte, but a MiB of them in each write, so that the sender is as fast as the reader. */
async function sendByteByByte(served: ServedProcess, body: string): Promise<string> {
  const client = new RawClient(served.url)
  const { headers } = served.insider
  const chunked = { ...headers, 'transfer-encoding': 'chunked', connection: 'close' }
  await client.send(requestHead('POST', '/api/v1/sav', chunked))
  for (let sent = 0; sent < body.length && !client.closed; sent += MiB)
    await client.send(body.slice(sent, sent + MiB).replace(/./gs, '1\r\n$&\r\n'))
  await client.send('0\r\n\r\n')
  return client.rest()
}

describe(`a body of ${bodyBytes} bytes in as many chunks`, () => {
  it('is answered, and takes little more memory than the same body in one piece', {
    timeout: isFull ? 900_000 : 240_000,
  }, async () => {
    // The test takes less time than this, even on a busy machine. Other tests cover bodies that are too slow.
    const limits = { minSpeed: { graceMs: 900_000, bytesPerSecond: 10_000 } }
    const served = await serve(limits, [`--max-old-space-size=${heapMiB}`])
    const body = JSON.stringify(served.insider.body).padEnd(bodyBytes)
    const whole = await fetch(`${served.url}/api/v1/sav`, { method: 'POST', headers: served.insider.headers, body })
    expect(whole.status).toBe(201)
    const before = await served.state()

    expect(statusesIn(await sendByteByByte(served, body))).toEqual([201])
    const after = await served.state()
    expect(after.errors).toEqual([])
    expect(after.peakBytes - before.peakBytes).toBeLessThan(100 * MiB)
    await served.close()
  })
})
