import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { pngOf } from './png.ts'

export interface Shop {
  readonly url: string
  readonly key: string
  /** The current time by the shop's clock. */
  readonly now: () => number
}

interface Answer {
  readonly status: number
  // Answers have many shapes, which each caller knows.
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly body: any
}

/** The shop's acknowledged work. After any failure, the store must contain it. */
export class Ledger {
  /** The reference of each case, by id. */
  readonly created = new Map<number, string>()
  readonly closed = new Map<number, string>()
  readonly booked = new Set<number>()
  readonly erased: { readonly id: number; readonly name: string }[] = []
  /** Unexpected answers. */
  readonly surprises: string[] = []
  calls = 0
  repeated = 0
}

/**
 * Repeats a call until it is answered. Each repetition has the same Idempotency-Key, so that a call interrupted by a
 * kill is done only once.
 */
async function call({ url, key, now }: Shop, ledger: Ledger, method: string, path: string, body?: unknown) {
  const idempotencyKey = randomUUID()
  for (let attempt = 1; ; attempt += 1) {
    ledger.calls += 1
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'x-request-timestamp': String(Math.floor(now() / 1000)),
        ...(method === 'POST' && { 'idempotency-key': idempotencyKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
      .then(async (response): Promise<Answer> => ({ status: response.status, body: JSON.parse(await response.text()) }))
      .catch(() => null)
    if (answer !== null && answer.status !== 503 && answer.body.code !== 'idempotency_in_progress') return answer
    ledger.repeated += 1
    if (attempt > 600) throw new Error(`${method} ${path} is never answered`)
    await delay(100)
  }
}

const sentences = [
  'La porte du four ne ferme plus depuis ce matin, le joint est arraché sur toute la hauteur.',
  'Façade rayée à droite de l’évier, à remplacer.',
  'Le tiroir du bas frotte : coulisse à régler, et la poignée tourne dans le vide.',
  'Plan de travail décollé le long du mur, de l’eau passe derrière les meubles. Le client demande une visite avant la fin de la semaine.',
]
const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(Math.random() * of.length)]
const day = 24 * 3_600_000

/** Five people work until `isOver`: two take calls, one plans, one closes cases, one looks things up. */
export async function workUntil(isOver: () => boolean, shop: Shop, ledger: Ledger): Promise<void> {
  const poseurs = 12
  const send = (method: string, path: string, body?: unknown) => call(shop, ledger, method, path, body)
  const expectStatus = (answer: Answer, allowed: readonly number[], what: string) => {
    if (allowed.includes(answer.status)) return
    ledger.surprises.push(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
  }
  const open: number[] = []
  const visits: { readonly rdv: number; readonly sav: number }[] = []
  const every = async (pauseMs: number, step: () => Promise<void>) => {
    while (!isOver()) {
      await step()
      await delay(pauseMs * (0.5 + Math.random()))
    }
  }

  const takeCall = async () => {
    const name = `Soak${randomUUID().slice(0, 8)}`
    const client = await send('POST', '/api/v1/clients', { nom: name, prenom: 'Anne', telephone: '0612345678' })
    expectStatus(client, [201], 'a client')
    for (let cases = 0; cases < 1 + Math.round(Math.random()); cases += 1) {
      const sav = await send('POST', '/api/v1/sav', { client_id: client.body.data.id, description: pick(sentences) })
      expectStatus(sav, [201], 'a case')
      if (sav.status !== 201) continue
      ledger.created.set(sav.body.data.id, sav.body.data.reference)
      open.push(sav.body.data.id)
    }
    if (Math.random() < 0.05) await erase(client.body.data.id, name)
  }
  const erase = async (id: number, name: string) => {
    const answer = await send('POST', `/api/v1/clients/${id}/effacer`)
    expectStatus(answer, [200], 'an erasure')
    if (answer.status === 200) ledger.erased.push({ id, name })
  }
  const plan = async () => {
    const sav = open.shift()
    if (sav === undefined) return
    const from = new Date(shop.now() + Math.floor(Math.random() * 75) * day).toISOString().slice(0, 10)
    const to = new Date(Date.parse(from) + 13 * day).toISOString().slice(0, 10)
    const free = await send('GET', `/v1/planning/creneaux?duree=15&sav_id=${sav}&du=${from}&au=${to}&limite=10`)
    expectStatus(free, [200, 409], 'free times')
    const slot = free.status === 200 ? pick<{ jeton: string }>(free.body.data) : undefined
    if (slot === undefined) return
    const booked = await send('POST', '/v1/planning/rdv', { jeton: slot.jeton, sav_id: sav })
    // 409: the client was erased meanwhile.
    expectStatus(booked, [201, 409], 'a visit')
    if (booked.status !== 201) return
    ledger.booked.add(booked.body.data.id)
    visits.push({ rdv: booked.body.data.id, sav })
  }
  const close = async () => {
    const visit = visits.shift()
    if (visit === undefined) return
    expectStatus(await send('PATCH', `/v1/planning/${visit.rdv}`, { statut: 'en_cours' }), [200, 409], 'a beginning')
    await send('POST', `/api/v1/sav/${visit.sav}/photos`, { photos: [{ data: pngOf(40, 30) }] })
    const closed = await send('POST', `/api/v1/sav/${visit.sav}/cloturer`, {
      resolution: 'Charnière réglée, joint remplacé.',
      rdv_id: visit.rdv,
      resultat: 'resolu',
    })
    expectStatus(closed, [200, 409, 422], 'a close')
    if (closed.status === 200) ledger.closed.set(visit.sav, closed.body.data.reference)
  }
  const looks = ['/api/v1/sav?limite=50', '/api/v1/sav?recherche=joint', '/api/v1/statistiques', '/v1/planning']
  const look = async () => expectStatus(await send('GET', pick(looks) ?? ''), [200], 'a look')

  for (let poseur = 0; poseur < poseurs && ledger.created.size === 0; poseur += 1)
    expectStatus(await send('POST', '/api/v1/poseurs', { nom: `Poseur ${poseur}` }), [201], 'an installer')
  await Promise.all([every(500, takeCall), every(500, takeCall), every(300, plan), every(300, close), every(700, look)])
}
