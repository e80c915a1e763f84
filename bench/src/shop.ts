import { closeSync, copyFileSync, fsyncSync, openSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Faker, fr } from '@faker-js/faker'
import type { Sav } from '@sav/core'
import Database from 'better-sqlite3'
import { as, type ComposedSav, composed } from '#composed'
import { descriptions } from '#descriptions'
import { runPart, runSav } from '#processes'
import { fileOf, isPostgres, type ShopEnv, shopEnv } from '#shop-env'

/** Copies the shop to another folder; no process may have it open. */
export function copyShop(env: ShopEnv, folder: string): ShopEnv {
  const copy = { ...env, SAV_DATABASE: shopEnv(folder).SAV_DATABASE }
  copyFileSync(fileOf(env), fileOf(copy))
  // Synced now, because otherwise the system would write the file while a bench waits for its own commits.
  const file = openSync(fileOf(copy), 'r+')
  fsyncSync(file)
  closeSync(file)
  return copy
}

export interface Contents {
  readonly cases: number
  /** Over how many days the cases were created; the last day is today. */
  readonly days: number
  /** Addresses of endpoints that get every creation. */
  readonly receivers: readonly string[]
}

/** The values that a caller of the shop's API needs. */
export interface Shop {
  readonly key: string
  readonly clients: readonly number[]
}

/** Creates a shop and fills it through the core, as the API would: about 10,000 cases a second. */
export async function fillShop(folder: string, env: ShopEnv, contents: Contents): Promise<Shop> {
  await runSav(['init'], { folder, env })
  return runPart(import.meta.url, fill, { env, contents })
}

/** Adds accounts to an existing shop. Each has its own endpoints, which get every creation. */
export function addAccounts(env: ShopEnv, names: readonly string[], receivers: readonly string[]): Promise<Shop[]> {
  return runPart(import.meta.url, fillAccounts, { env, names, receivers })
}

const day = 86_400_000
const accountsAtOnce = 10

/** The number of different descriptions, which are reused for a shop's cases. */
const differentDescriptions = 2000
const typesProbleme = ['reglage', 'facade', 'quincaillerie', 'electromenager', 'plan_travail', 'autre'] as const
const priorites = ['normale', 'normale', 'haute', 'normale', 'basse', 'urgente'] as const
const installers = ['Karim Benali', 'Élodie Garnier', 'Tomasz Nowak', 'Jean-Baptiste Le Goff', 'Aminata Diallo']

/** Inputs of cases, to be used in turn. */
export function creations(count: number) {
  return descriptions(count).map((description, n) => ({
    description,
    type_probleme: typesProbleme[n % typesProbleme.length] ?? 'autre',
    priorite: priorites[(n * 7) % priorites.length] ?? 'normale',
  }))
}

export async function fill({ env, contents }: { env: ShopEnv; contents: Contents }): Promise<Shop> {
  const { cases, days, receivers } = contents
  let created = 0
  const now = () => Date.now() - days * day * (1 - created / cases)
  const composition = await composed(env, { now: () => (days === 0 ? Date.now() : Math.floor(now())) })
  const { sav, storage } = composition
  const account_id = 'default'
  const actor = as(account_id)
  const key = await furnish(sav, account_id, receivers)
  const clients = await addClients(composition, account_id, 500)
  const poseurs: number[] = []
  for (const nom of installers) poseurs.push((await sav.directory.poseurs.add(actor, { nom })).id)

  const inputs = creations(Math.min(cases, differentDescriptions))
  let latest: { id: number }[] = []
  while (created < cases) {
    const group = Math.min(500, cases - created)
    latest = await Promise.all(
      clients.slice(0, group).map((client_id, n) => {
        const input = inputs[(created + n) % inputs.length]
        if (input === undefined) throw new Error('No inputs for the shop’s cases were given.')
        return sav.cases.create(actor, { client_id, ...input })
      }),
    )
    created += group
  }
  // Half of the cases on the first page get an installer.
  for (const { id } of latest.slice(-50).filter(({ id }) => id % 2 === 0)) {
    await sav.cases.update(actor, id, { poseur_id: poseurs[id % poseurs.length] ?? null, statut: 'en_cours' })
  }
  await everyWordIndexed(env)
  await storage.close()
  return { key, clients }
}

/**
 * Waits until all words are indexed. Otherwise the next process would index them in the middle of a bench: 10,000
 * creations a second leave many.
 */
export async function everyWordIndexed(env: ShopEnv): Promise<void> {
  if (isPostgres(env)) return
  const db = new Database(fileOf(env), { readonly: true })
  // Cases are indexed 32 at a time.
  const isIndexed = db
    .prepare<[], 0 | 1>('select coalesce(max(id), 0) - (select count(*) from cases_words_docsize) < 32 from cases')
    .pluck()
  while (isIndexed.get() === 0) await wait(20)
  db.close()
}

export async function fillAccounts({
  env,
  names,
  receivers,
}: {
  env: ShopEnv
  names: readonly string[]
  receivers: readonly string[]
}): Promise<Shop[]> {
  const composition = await composed(env)
  const { sav, storage } = composition
  const shops: Shop[] = []
  for (let n = 0; n < names.length; n += accountsAtOnce) {
    const added = names.slice(n, n + accountsAtOnce).map(async (name) => {
      await sav.accounts.add(as(name), name)
      const key = await furnish(sav, name, receivers)
      return { key, clients: await addClients(composition, name, 20) }
    })
    shops.push(...(await Promise.all(added)))
  }
  await storage.close()
  return shops
}

/** Creates a key, and the endpoints. Resolves to the key. */
async function furnish(sav: Sav, account_id: string, receivers: readonly string[]): Promise<string> {
  const { key } = await sav.keys.create(as(account_id), {
    nom: 'bench',
    permissions: ['sav:read', 'sav:write', 'directory:read'],
    expire: new Date(Date.now() + 1000 * 86_400_000).toISOString(),
  })
  for (const url of receivers) await sav.webhooks.endpoints.add(as(account_id), { url, events: ['sav.created'] })
  return key
}

/** Adds all clients in one transaction. */
async function addClients({ sav, storage }: ComposedSav, account_id: string, count: number): Promise<number[]> {
  const faker = new Faker({ locale: fr, seed: 2 })
  const people = Array.from({ length: count }, () => ({
    nom: faker.person.lastName(),
    prenom: faker.person.firstName(),
  }))
  const writes = people.map((client) => sav.writes.clients.add(as(account_id), client))
  const prepared = await Promise.all(writes.map((write) => write.prepare?.()))
  const added = await storage.transaction((tx) => Promise.all(writes.map((write, n) => write.write(tx, prepared[n]))))
  return added.map(({ id }) => id)
}
