import { createHmac, randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import { alternate, type Delay, overall, type Row, rate, type Settings } from '#bench'
import { type DeliveryRate, inFlight, usual } from '#delivering'
import { runPart } from '#processes'

/** A body of the same length as that of a real `sav.created`. */
export const sampleBody = JSON.stringify({
  event: 'sav.created',
  timestamp: '2026-11-21T03:40:00.000Z',
  data: {
    event_id: 'evt_01k8v2m3q0x7d4n1c8w5b2r9t6',
    id: 12_345,
    reference: 'SAV-2026-12345',
    statut: 'ouvert',
    priorite: 'haute',
    type_probleme: 'reglage',
    client: { id: 123 },
    poseur: null,
    version: 1,
    changements: [],
  },
})

interface BareLoop {
  /** URLs of one receiver, used in turn. */
  readonly urls: readonly string[]
}

/**
 * Runs the bare loop, a sender of minimal cost, in a separate process: one HMAC, one POST over a kept connection, and
 * the answer read to its end. Resolves to deliveries per second.
 */
export function sendBare(options: BareLoop): Promise<number> {
  return runPart(import.meta.url, bareLoop, options)
}

interface BesideBareLoop extends BareLoop, Pick<Settings, 'say'> {
  readonly deliver: () => Promise<DeliveryRate>
  readonly rounds: number
  readonly goal: number
}

/** Measures deliveries per second, with a new process in each round, beside the bare loop. */
export async function besideBareLoop(bench: string, options: BesideBareLoop): Promise<Row> {
  const { deliver, urls, rounds, goal, say } = options
  const delays: Delay[] = []
  const measured = await alternate({
    rounds,
    warmUps: 0,
    subject: async () => {
      const { perSecond, delay } = await deliver()
      if (delay !== undefined) delays.push(delay)
      return perSecond
    },
    baseline: () => sendBare({ urls }),
    say,
  })
  return { ...rate(bench, 'deliveries/s', measured, goal), delay: overall(delays) }
}

export async function bareLoop({ urls }: BareLoop): Promise<number> {
  const targets = urls.map((url) => new URL(url))
  const pool = new Pool(targets[0]?.origin ?? '', { connections: inFlight, pipelining: 1 })
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  let sent = 0
  let start = 0
  const sender = async () => {
    while (sent < usual.count) {
      const path = targets[sent % targets.length]?.pathname ?? '/'
      sent += 1
      if (sent === usual.warmUp) start = performance.now()
      const signature = createHmac('sha256', secret).update(sampleBody).digest('hex')
      const answer = await pool.request({
        path,
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Webhook-Signature': `sha256=${signature}` },
        body: sampleBody,
      })
      if (answer.statusCode !== 200) throw new Error(`the receiver answered ${answer.statusCode}`)
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: inFlight }, sender))
  const elapsedMs = performance.now() - start
  await pool.close()
  return ((usual.count - usual.warmUp) / elapsedMs) * 1000
}
