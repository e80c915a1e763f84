import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { verify as octokit } from '@octokit/webhooks-methods'
import { sign, verifySignature } from '@sav/webhook-verify'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { alternate, type Row, rate, type Settings } from '#bench'
import { runPart } from '#processes'

const bodyBytes = 500
const sliceMs = 40
const rounds = 15

/**
 * Measures verifications per second of one body with one secret, without parsing. Our function gets the bytes as
 * received, and checks headers and time too. It is compared with the bare HMAC and with other libraries. About 9 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of ['verify', 'verify-standardwebhooks', 'verify-svix', 'verify-octokit', 'verify-stripe'] as const) {
    const measured = await runPart(import.meta.url, compare, name)
    rows.push(rate(name, 'verifications/s', measured, name === 'verify' ? 0.6 : 1))
    say(`${name}: ${rows.at(-1)?.ratio.toFixed(2)}`)
  }
  return rows
}

type Opponent = 'verify' | 'verify-standardwebhooks' | 'verify-svix' | 'verify-octokit' | 'verify-stripe'

/**
 * Runs in a separate process for each library, so that one library's effects on the heap and the compiled code do not
 * affect another.
 */
export async function compare(name: Opponent): Promise<{ figure: number; baseline: number }> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const text = JSON.stringify({ event: 'sav.created', data: { filler: '' } })
  const payload = text.replace('""', `"${'é'.repeat(8)}${'x'.repeat(bodyBytes - text.length - 16)}"`)
  const body = Buffer.from(payload)
  const headers = await sign({ id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body, secret })
  const lowerCase = received(headers)
  const theirs = opponents({ secret, payload, body, headers })[name]
  return alternate({
    rounds,
    warmUps: 5,
    subject: () => perSecond(() => verifySignature(body, lowerCase, secret)),
    baseline: () => perSecond(theirs),
    say: () => {},
  })
}

interface Delivery {
  readonly secret: string
  readonly payload: string
  readonly body: Buffer
  readonly headers: Awaited<ReturnType<typeof sign>>
}

function opponents({ secret, payload, body, headers }: Delivery): Record<Opponent, () => unknown> {
  const lowerCase = received(headers)
  const bare = Buffer.from(headers['X-Webhook-Signature'])
  const standard = new StandardWebhook(secret)
  const svix = new SvixWebhook(secret)
  const { signature } = Stripe.webhooks
  const stripeHeader = Stripe.webhooks.generateTestHeaderString({ payload, secret })
  return {
    verify: () => {
      const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
      if (expected.length !== bare.length || !timingSafeEqual(expected, bare)) throw new Error('refused')
    },
    'verify-standardwebhooks': () => standard.verify(body, lowerCase, { jsonParse: false }),
    'verify-svix': () => svix.verify(body, lowerCase),
    'verify-octokit': async () => {
      if (!(await octokit(secret, payload, headers['X-Webhook-Signature']))) throw new Error('refused')
    },
    'verify-stripe': () => {
      if (!signature?.verifyHeader(body, stripeHeader, secret, 300)) throw new Error('refused')
    },
  }
}

/** The headers as Node presents them: in lower case, with others among them. */
function received(headers: Delivery['headers']): Record<string, string> {
  return {
    host: 'receiver.example',
    'content-type': 'application/json',
    'x-webhook-event': 'sav.created',
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  }
}

async function perSecond(verify: () => unknown): Promise<number> {
  const start = performance.now()
  let count = 0
  while (performance.now() - start < sliceMs) {
    for (let i = 0; i < 100; i += 1) {
      const pending = verify()
      // Awaiting a value that already exists would be unfair to libraries that return it directly.
      if (pending instanceof Promise) await pending
    }
    count += 100
  }
  return (count / (performance.now() - start)) * 1000
}
