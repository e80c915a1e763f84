import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { png } from '../images.js'
import { call, local, readyWorkplace } from '../workplace.js'
import { committer, endLeases } from './committer.js'
import { isFullCount, storesFor } from './full-count.js'
import { undelivered } from './undelivered.js'
import { refuseHalfCommits } from './whole-commits.js'

const rounds = isFullCount ? 200 : 2
const casesInRound = isFullCount ? 60 : 6
/** How many cases are closed after the last kill. Their mails must not be repeated. */
const quietCloses = 3
const clientsAtOnce = isFullCount ? 6 : 3
/** The lease of a mail, plus the time for a start and the backlog on a busy machine. */
const patienceMs = 90_000
/** How long the reports may take. They are drawn at low priority, so other tests on this machine delay them. */
const drawnMs = isFullCount ? 900_000 : patienceMs

/** A mail server that counts the mails of each delivery, identified by `Message-ID`. */
async function mailbox() {
  const counts = new Map<string, number>()
  const arrivals: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, done) {
      let text = ''
      stream.on('data', (chunk) => {
        if (text.length < 10_000) text += chunk
      })
      stream.on('end', () => {
        const id = /^Message-ID: <(.+)@/im.exec(text)?.[1] ?? ''
        counts.set(id, (counts.get(id) ?? 0) + 1)
        arrivals.push(id)
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
  return {
    url: `smtp://127.0.0.1:${port}`,
    counts,
    /** The deliveries that have arrived since the last call. */
    takeArrivals: () => new Set(arrivals.splice(0)),
  }
}

/** A shop whose customers have mailboxes, with functions that create and close cases. */
async function shopWithMail(settings: Readonly<Record<string, string>>) {
  const mails = await mailbox()
  const shop = await readyWorkplace({
    ...local,
    ...settings,
    SAV_RATE_LIMIT: 'off',
    SAV_SMTP_URL: mails.url,
    SAV_MAIL_FROM: 'sav@example.com',
    SAV_LOG_LEVEL: 'warn',
  })
  await refuseHalfCommits(shop)
  const key = await shop.newKey()
  const beside = await committer(shop)
  const { sav, actor, storage, commit } = beside
  for (const { id } of (await sav.directory.clients.list('default', {})).items)
    await sav.directory.clients.update(actor, id, { email: 'helene@example.com' })
  const body = {
    resolution: 'Porte réglée, charnière remplacée',
    signature_client: `data:image/png;base64,${png.toString('base64')}`,
  }
  return {
    ...beside,
    mails,
    serve: () => shop.start('serve --port 0'),
    cases: (count: number) => Promise.all(Array.from({ length: count }, async () => (await commit()).id)),
    close: (url: string, id: number) => call(url, key, 'POST', `/api/v1/sav/${id}/cloturer`, body),
    /** How many reports are not sent yet. */
    unsent: async () =>
      (await storage.db.selectFrom('reports').select('statut').where('statut', '<>', 'envoye').execute()).length,
  }
}

describe.each(storesFor('a SQLite file'))('on %s', (_, settings) => {
  it(`a service killed ${rounds} times during closes leaves each case either open or completely closed, and repeats a mail only if a kill came before the mail was recorded as sent`, {
    timeout: rounds * 10_000 + drawnMs + patienceMs,
  }, async () => {
    const { sav, storage, mails, serve, cases, close, unsent } = await shopWithMail(await settings())
    const acknowledged = new Map<number, string>()
    const refusals: unknown[] = []
    /** How often each mail may arrive: once, plus once for each kill between sending and recording it. */
    const allowed = new Map<string, number>()

    for (let round = 0; round < rounds; round += 1) {
      const ids = await cases(casesInRound)
      const service = serve()
      const url = await service.url()
      const begun = Promise.withResolvers<void>()
      const closeThem = async () => {
        for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
          const answer = await close(url, id).catch(() => null)
          begun.resolve()
          if (answer === null) return
          if (answer.status === 200) acknowledged.set(id, answer.body.data.hash_sha256)
          else refusals.push(answer)
        }
      }
      const closing = Array.from({ length: clientsAtOnce }, closeThem)
      // In every other round, the kill may come before the first answer.
      if (round % 2 === 0) await begun.promise
      await delay(Math.random() * 150)
      await service.kill('SIGKILL')
      await Promise.all(closing)
      expect(refusals).toEqual([])
      // Mails that the killed process left in the kernel's buffers arrive now, or never.
      await delay(30)
      for (const id of await undelivered(storage, mails.takeArrivals(), 'id'))
        allowed.set(id, (allowed.get(id) ?? 1) + 1)
    }

    const db = storage.db
    const found = await db.selectFrom('cases').select(['id', 'statut']).execute()
    const entries = await db.selectFrom('evidence_entries').select(['case_id', 'hash_dossier']).execute()
    const reports = await db.selectFrom('reports').select(['case_id', 'event_id', 'statut']).execute()
    const events = await db.selectFrom('events').select(['id', 'event', 'body']).execute()
    const deliveries = await db.selectFrom('deliveries').select(['event_id', 'channel']).execute()
    const closed = found.filter(({ statut }) => statut === 'clos').map(({ id }) => id)
    const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

    expect(acknowledged.size).toBeGreaterThan(rounds / 4)
    for (const [id, hash] of acknowledged) expect(entries).toContainEqual({ case_id: id, hash_dossier: hash })
    expect(sorted(entries.map(({ case_id }) => case_id))).toEqual(sorted(closed))
    expect(sorted(reports.map(({ case_id }) => case_id))).toEqual(sorted(closed))
    const told = events.filter(({ event }) => event === 'sav.closed').map(({ body }) => JSON.parse(body).data.id)
    expect(sorted(told)).toEqual(sorted(closed))
    for (const { event_id } of reports)
      expect(deliveries.filter((delivery) => delivery.event_id === event_id)).toEqual([{ event_id, channel: 'email' }])
    expect(await sav.evidence.verify('default')).toEqual({ checked: closed.length, broken: [] })

    if (!isFullCount) await endLeases(storage)
    const service = serve()
    const url = await service.url()
    await expect.poll(unsent, { timeout: drawnMs, interval: 100 }).toBe(0)
    for (const id of await cases(quietCloses)) expect((await close(url, id)).status).toBe(200)
    await expect.poll(unsent, { timeout: patienceMs, interval: 100 }).toBe(0)
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
    const repeated = [...mails.counts.values()].reduce((sum, count) => sum + count - 1, 0)
    if (isFullCount)
      console.info({
        rounds,
        closed: closed.length,
        acknowledged: acknowledged.size,
        mails: mails.counts.size,
        repeated,
      })
    expect(mails.counts.size).toBe(closed.length + quietCloses)
    expect([...mails.counts].filter(([id, count]) => count > (allowed.get(id) ?? 1))).toEqual([])
  })
})
