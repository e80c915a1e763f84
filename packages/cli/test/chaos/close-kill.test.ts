import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import { png } from '../images.js'
import { call, local, readyWorkplace } from '../workplace.js'
import { committer } from './committer.js'
import { isFullCount } from './full-count.js'

const rounds = isFullCount ? 200 : 4
const clientsAtOnce = 6
/** A mail's lease, and what a start and the backlog take on a busy machine. */
const patienceMs = 90_000

/** A mail server that counts the mails of each `Message-ID`. */
async function mailbox() {
  const counts = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, done) {
      let text = ''
      stream.on('data', (chunk) => {
        if (text.length < 10_000) text += chunk
      })
      stream.on('end', () => {
        const id = /^Message-ID: (.+)$/im.exec(text)?.[1]?.trim() ?? ''
        counts.set(id, (counts.get(id) ?? 0) + 1)
        done()
      })
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = listening.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `smtp://127.0.0.1:${port}`, counts }
}

it(`a service killed ${rounds} times during closes leaves each case open with nothing, or closed with all that belongs to it`, {
  timeout: rounds * 10_000 + 2 * patienceMs,
}, async () => {
  const mails = await mailbox()
  const shop = await readyWorkplace()
  const key = await shop.newKey()
  const { sav, actor, storage, commit } = await committer(shop)
  const env = {
    ...local,
    SAV_RATE_LIMIT: 'off',
    SAV_SMTP_URL: mails.url,
    SAV_MAIL_FROM: 'sav@example.com',
    SAV_LOG_LEVEL: 'warn',
  }
  for (const { id } of (await sav.directory.clients.list('default', {})).items)
    await sav.directory.clients.update(actor, id, { email: 'helene@example.com' })
  const signature_client = `data:image/png;base64,${png.toString('base64')}`
  const acknowledged = new Map<number, string>()
  const refusals: unknown[] = []

  for (let round = 0; round < rounds; round += 1) {
    const ids = await Promise.all(Array.from({ length: 60 }, async () => (await commit()).id))
    const service = shop.start(['serve', '--port', '0'], env)
    const url = await service.url()
    const closeThem = async () => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        const body = { resolution: 'Porte réglée, charnière remplacée', signature_client }
        const answer = await call(url, key, 'POST', `/api/v1/sav/${id}/cloturer`, body).catch(() => null)
        if (answer === null) return
        if (answer.status === 200) acknowledged.set(id, answer.body.data.hash_sha256)
        else refusals.push(answer)
      }
    }
    const closing = Array.from({ length: clientsAtOnce }, closeThem)
    await delay(Math.random() * 150)
    await service.kill('SIGKILL')
    await Promise.all(closing)
    expect(refusals).toEqual([])
  }

  const db = storage.db
  const cases = await db.selectFrom('cases').select(['id', 'statut']).execute()
  const entries = await db.selectFrom('evidence_entries').select(['case_id', 'hash_dossier']).execute()
  const reports = await db.selectFrom('reports').select(['case_id', 'event_id', 'statut']).execute()
  const events = await db.selectFrom('events').select(['id', 'event', 'body']).execute()
  const deliveries = await db.selectFrom('deliveries').select(['event_id', 'channel']).execute()
  const closed = cases.filter(({ statut }) => statut === 'clos').map(({ id }) => id)
  const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

  expect(acknowledged.size).toBeGreaterThan(rounds / 4)
  for (const [id, hash] of acknowledged) expect(entries).toContainEqual({ case_id: id, hash_dossier: hash })
  expect(sorted(entries.map(({ case_id }) => case_id))).toEqual(sorted(closed))
  expect(sorted(reports.map(({ case_id }) => case_id))).toEqual(sorted(closed))
  const told = events.filter(({ event }) => event === 'sav.closed').map(({ body }) => JSON.parse(body).data.id)
  expect(sorted(told)).toEqual(sorted(closed))
  for (const { event_id } of reports)
    expect(deliveries.filter((delivery) => delivery.event_id === event_id)).toEqual([{ event_id, channel: 'email' }])
  expect(await sav.evidence.verify('default')).toEqual({ checked: closed.length, uncovered: 0, broken: [] })
  if (!isFullCount) return

  const service = shop.start(['serve', '--port', '0'], env)
  const waiting = async () =>
    (await db.selectFrom('reports').select('statut').where('statut', '<>', 'envoye').execute()).length
  await expect.poll(waiting, { timeout: patienceMs, interval: 500 }).toBe(0)
  await service.kill('SIGTERM')
  const repeated = [...mails.counts.values()].reduce((sum, count) => sum + count - 1, 0)
  console.info({ rounds, closed: closed.length, acknowledged: acknowledged.size, mails: mails.counts.size, repeated })
  expect(mails.counts.size).toBe(closed.length)
  // At most those that were on their way, or answered and not yet recorded, at a kill.
  for (const count of mails.counts.values()) expect(count).toBeLessThanOrEqual(2)
})
