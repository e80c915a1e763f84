import { setTimeout as wait } from 'node:timers/promises'
import { ceiling, percentile, type Row, type Settings, shown } from '#bench'
import { photo, retaken, signature } from '#photo'
import { scratch, startServer } from '#processes'
import { startReceiver } from '#receiver'
import { fillShop } from '#shop'
import { shopEnv } from '#shop-env'

const warmUps = 2
const closes = 20
const events = 3000
const endpoints = 100
const closeLimitMs = 300
const pdfLimitMs = 2000
const pollMs = 25
const patienceMs = 30_000

/**
 * A close with two photos of 4 MB and a signature, one at a time, on a `sav serve` that has more deliveries to make
 * than it can during all of them: how long its caller waits for the answer, and then until the PDF of its report is
 * there; the 95th percentile of 20. About 30 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  await using receiver = await startReceiver()
  using folder = scratch()
  const env = shopEnv(folder.path)
  const receivers = Array.from({ length: endpoints }, (_, n) => `${receiver.url}endpoint/${n}`)
  say(`filling a store with ${(events * endpoints).toLocaleString('en')} due deliveries`)
  const { key } = await fillShop(folder.path, env, { cases: events, days: 0, receivers })
  const [avant, apres, signed] = await Promise.all([photo(), photo(), signature()])
  await using sav = await startServer([], { folder: folder.path, env })
  const api = `http://127.0.0.1:${sav.port}/api/v1/sav`
  const authorization = { Authorization: `Bearer ${key}` }

  const closing = (n: number) =>
    Buffer.from(
      JSON.stringify({
        resolution: 'Charnières réglées, porte rabotée de deux millimètres.',
        photo_avant: dataUri('jpeg', retaken(avant, n)),
        photo_apres: dataUri('jpeg', retaken(apres, n)),
        signature_client: dataUri('png', signed),
        signataire_nom: 'Léa Martin',
      }),
    )
  const close = async (id: number, body: Buffer): Promise<number> => {
    const headers = { ...authorization, 'X-Request-Timestamp': String(Math.floor(Date.now() / 1000)) }
    const start = performance.now()
    const answer = await fetch(`${api}/${id}/cloturer`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${text}`)
    return performance.now() - start
  }

  const drawn = async (id: number): Promise<number> => {
    const start = performance.now()
    for (;;) {
      const answer = await fetch(`${api}/${id}/pv`, { headers: authorization })
      await answer.arrayBuffer()
      const elapsedMs = performance.now() - start
      if (answer.status === 200) return elapsedMs
      if (answer.status !== 202 || elapsedMs > patienceMs) throw new Error(`no report, but ${answer.status}`)
      await wait(pollMs)
    }
  }

  const page = await fetch(`${api}?limite=${warmUps + closes}`, { headers: authorization })
  const { data }: { data: { id: number }[] } = JSON.parse(await page.text())
  const before = await receiver.arrivals()
  const start = performance.now()
  const answered: number[] = []
  const ready: number[] = []
  for (const [n, { id }] of data.entries()) {
    const closeMs = await close(id, closing(n))
    const pdfMs = await drawn(id)
    if (n < warmUps) continue
    answered.push(closeMs)
    ready.push(pdfMs)
  }
  const arrivals = await receiver.arrivals()
  say(`${shown((arrivals - before) / ((performance.now() - start) / 1000))} deliveries/s meanwhile`)
  if (arrivals >= events * endpoints) throw new Error('the deliveries were over before the closes')
  for (const [name, times] of Object.entries({ answered, ready }))
    say(`${name}: median ${shown(percentile(times, 0.5))} ms, longest ${shown(percentile(times, 1))} ms`)
  return [
    ceiling('close', 'ms, p95', percentile(answered, 0.95), closeLimitMs),
    ceiling('close-pdf', 'ms, p95', percentile(ready, 0.95), pdfLimitMs),
  ]
}

const dataUri = (type: string, content: Buffer) => `data:image/${type};base64,${content.toString('base64')}`
