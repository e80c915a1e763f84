import { createWorker } from '@sav/core'
import type { Clock, Random, StampVerifier, Storage } from '@sav/core/ports'
import { seededRandom } from '@sav/core/testing'
import { createUseCases, type WholeSav } from '../../../test/whole/opening.js'

const jpeg = (name: string) => Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100', 'hex'), Buffer.from(name)])
export const photo = (name: string) => `data:image/jpeg;base64,${jpeg(name).toString('base64')}`
export const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}

/** A stand-in for an authority's stamp of one hash. */
const stampOf = (hash: string) => Buffer.from(`signed ${hash}`)
export const stampVerifier: StampVerifier = {
  check: async (token, hash) => (stampOf(hash).equals(token) ? null : 'the stamp is of another hash'),
}

export const actor = { account_id: 'default', type: 'cle', id: 'key_1', nom: 'caisse' } as const

/** One thing that happens in a shop. `which` chooses among what exists. */
export type Step =
  | { readonly what: 'create' }
  | { readonly what: 'work' }
  | { readonly what: 'update' | 'notes' | 'visit' | 'close' | 'reopen'; readonly which: number }
  | { readonly what: 'erase'; readonly which: number }

export interface Shop {
  readonly sav: WholeSav
  readonly random: Random
  /** Does a step, or nothing if it is refused. */
  take(step: Step): Promise<void>
  /** Draws every report, and stamps the chain. */
  work(): Promise<void>
}

/** A service without a worker. */
export const serviceOn = (storage: Storage, at = clock): WholeSav =>
  createUseCases({
    ...{ storage, clock: at, random: seededRandom(7), secretKey: new Uint8Array(32).fill(7) },
    ...{ timeZone: 'Europe/Paris', receivers: { allowLocal: true } },
  })

/** A service on `storage`, with an account, three clients and a poseur. */
export async function openShop(storage: Storage, seed = 1): Promise<Shop> {
  const random = seededRandom(seed)
  const shared = { storage, clock, random, secretKey: new Uint8Array(32).fill(7) }
  const sav = createUseCases({ ...shared, timeZone: 'Europe/Paris', receivers: { allowLocal: false }, stampVerifier })
  await sav.accounts.add(actor, actor.account_id)
  await sav.accounts.update(actor, { raison_sociale: 'Cuisines Martin', logo: png })
  const clients: number[] = []
  for (const nom of ['Lefèvre', 'N’Diaye', 'O’Connor-Ruiz'])
    clients.push((await sav.directory.clients.add(actor, { nom, prenom: 'Zoé' })).id)
  const poseur = await sav.directory.poseurs.add(actor, { nom: 'Bruno Petit' })
  const cases: number[] = []
  let count = 0
  const pick = (of: readonly number[], which: number) => of[which % Math.max(1, of.length)] ?? 0

  async function apply(step: Step): Promise<unknown> {
    count += 1
    if (step.what === 'work') return work()
    if (step.what === 'create') {
      const client_id = pick(clients, count)
      const description = `La façade n° ${count} s’écaille sous l’évier.`
      const photos = count % 2 === 0 ? [photo(`avant ${count}`), 'https://photos.example/1.jpg'] : []
      return cases.push((await sav.cases.create(actor, { client_id, description, photos })).id)
    }
    if (step.what === 'erase') return sav.directory.clients.erase(actor, pick(clients, step.which))
    const id = pick(cases, step.which)
    switch (step.what) {
      case 'update':
        return sav.cases.update(actor, id, { priorite: count % 2 === 0 ? 'haute' : 'basse', poseur_id: poseur.id })
      case 'notes':
        return sav.cases.update(actor, id, { notes_internes: `Rappeler le ${count}.` })
      case 'visit': {
        const debut = new Date(Date.UTC(2036, 2, 3, count)).toISOString()
        const asked = { poseur_id: poseur.id, debut, duree_minutes: 45, sav_id: id }
        const rdv = await sav.planning.book(actor, asked)
        const pieces = [{ designation: `Charnière ${count}`, quantite: 2 }]
        const told = { resultat: 'resolu', compte_rendu: `Façade n° ${count} réglée.`, pieces } as const
        return sav.planning.change(actor, rdv.id, { statut: 'realise', ...told })
      }
      case 'close': {
        const files = { photo_avant: photo(`close ${count}`), signature_client: png }
        const resolution = `Façade n° ${count} remplacée.`
        return sav.cases.close(actor, id, { resolution, signataire_nom: 'Z.', reserves: ['Rayure.'], ...files })
      }
      case 'reopen':
        return sav.cases.reopen(actor, id, { motif: `Elle s’écaille encore (${count}).` })
    }
  }

  async function work(): Promise<void> {
    const stamped: string[] = []
    const worker = createWorker({
      ...shared,
      http: { post: () => Promise.reject(new Error('nobody is called')), close: async () => {} },
      timeoutMs: 5000,
      schedule: [0],
      concurrency: { total: 4, perTarget: 4 },
      reports: {
        renderer: { render: async ({ reference, preuve }) => Buffer.from(`%PDF ${reference} ${preuve.hash_entree}`) },
        carriers: {},
        checkUrl: () => null,
        timestamper: {
          async stamp(hash) {
            stamped.push(hash)
            return stampOf(hash)
          },
        },
      },
    })
    worker.start()
    const isDone = async () => {
      const [head, stamp] = [
        await storage.reads.evidence.head(actor.account_id),
        await storage.reads.evidence.latestStamp(actor.account_id),
      ]
      return (await storage.reads.reports.undrawn(1, [])).length === 0 && head?.sequence === stamp?.sequence
    }
    const deadline = performance.now() + 60_000
    while (!(await isDone())) {
      if (performance.now() > deadline) throw new Error('The worker has not drawn and stamped everything in a minute.')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await worker.stop()
  }

  return {
    sav,
    random,
    work,
    async take(step) {
      await apply(step).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error)) throw error
      })
    },
  }
}
