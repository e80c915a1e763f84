import { setTimeout as delay } from 'node:timers/promises'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { expect } from 'vitest'
import { call, readyWorkplace } from './workplace.js'

const clientsAtOnce = 8

/**
 * Kills a service with SIGKILL while clients create cases, `rounds` times on the same store, and then compares what the
 * clients were told with what the store holds.
 */
export async function killRounds(rounds: number): Promise<void> {
  const place = await readyWorkplace()
  const key = await place.newKey()
  await place.json(['webhooks', 'add', 'https://example.com/hook', '--all-events'])
  /** Reference by id, of every case that a client saw a 201 for. */
  const seen = new Map<number, string>()

  for (let round = 0; round < rounds; round += 1) {
    const service = place.start(['serve', '--port', '0', '--no-worker'], { SAV_LOG_LEVEL: 'warn' })
    const url = await service.url()
    const create = async () => {
      for (;;) {
        const body = { client_id: 1, description: `Round ${round} of the killing` }
        const answer = await call(url, key, 'POST', '/api/v1/sav', body).catch(() => null)
        if (answer === null) return
        expect(answer.status).toBe(201)
        seen.set(answer.body.data.id, answer.body.data.reference)
      }
    }
    const creating = Array.from({ length: clientsAtOnce }, create)
    await delay(20 + Math.random() * 200)
    await service.kill('SIGKILL')
    await Promise.all(creating)
  }

  const storage = await openSqlite(`${place.dir}/sav-data/sav.db`)
  const cases = await storage.db.selectFrom('cases').select(['id', 'annee', 'numero']).orderBy('id').execute()
  const events = await storage.db.selectFrom('events').select(['id', 'event', 'body']).orderBy('id').execute()
  const deliveries = await storage.db.selectFrom('deliveries').select('event_id').execute()
  await storage.close()

  const stored = new Map(cases.map(({ id, annee, numero }) => [id, `SAV-${annee}-${String(numero).padStart(5, '0')}`]))
  expect(seen.size).toBeGreaterThan(rounds)
  expect([...seen].filter(([id, reference]) => stored.get(id) !== reference)).toEqual([])
  expect(cases.map(({ numero }) => numero)).toEqual(cases.map((_, index) => index + 1))
  const told = events.map(({ event, body }) => ({ event, id: JSON.parse(body).data.id }))
  expect(told.sort((a, b) => a.id - b.id)).toEqual(cases.map(({ id }) => ({ event: 'sav.created', id })))
  expect(new Set(deliveries.map(({ event_id }) => event_id)).size).toBe(events.length)
  expect(deliveries).toHaveLength(events.length)
}
