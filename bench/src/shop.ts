import { closeSync, copyFileSync, fsyncSync, openSync } from 'node:fs'
import type { Sav } from '@sav/core'
import { as, composed } from '#composed'
import { runPart, runSav } from '#processes'
import { fileOf, type ShopEnv, shopEnv } from '#shop-env'

/** The same shop once more, in another folder; nobody may have it open. */
export function copyShop(env: ShopEnv, folder: string): ShopEnv {
  const copy = { ...env, SAV_DATABASE: shopEnv(folder).SAV_DATABASE }
  copyFileSync(fileOf(env), fileOf(copy))
  // Or the system would write it out while a bench waits for its own commits.
  const file = openSync(fileOf(copy), 'r+')
  fsyncSync(file)
  closeSync(file)
  return copy
}

export interface Contents {
  readonly cases: number
  /** Over how many days, the last one today, the cases were created. */
  readonly days: number
  /** Addresses of endpoints that want every creation. */
  readonly receivers: readonly string[]
}

/** What a caller of the shop's API needs. */
export interface Shop {
  readonly key: string
  readonly client_id: number
}

/** Makes a shop and fills it through the core, as its API would: about 10,000 cases a second. */
export async function fillShop(folder: string, env: ShopEnv, contents: Contents): Promise<Shop> {
  await runSav(['init'], { folder, env })
  return runPart(import.meta.url, fill, { env, contents })
}

/** Adds accounts to a shop that is there, each with endpoints of its own that want every creation. */
export function addAccounts(env: ShopEnv, names: readonly string[], receivers: readonly string[]): Promise<Shop[]> {
  return runPart(import.meta.url, fillAccounts, { env, names, receivers })
}

const day = 86_400_000

export async function fill({ env, contents }: { env: ShopEnv; contents: Contents }): Promise<Shop> {
  const { cases, days, receivers } = contents
  let created = 0
  const now = () => Date.now() - days * day * (1 - created / cases)
  const { sav, storage } = await composed(env, { now: () => (days === 0 ? Date.now() : Math.floor(now())) })
  const account_id = 'default'
  const actor = as(account_id)
  const key = await furnish(sav, account_id, receivers)
  const clients = await addClients(sav, account_id, 500)
  const poseur = await sav.directory.poseurs.add(actor, { nom: 'Karim Benali' })

  let latest: { id: number }[] = []
  while (created < cases) {
    const group = Math.min(500, cases - created)
    latest = await Promise.all(
      clients.slice(0, group).map(({ id }) =>
        sav.cases.create(actor, {
          client_id: id,
          description: 'La porte du meuble haut frotte contre la corniche depuis la pose, côté fenêtre.',
          type_probleme: 'reglage',
          priorite: 'haute',
        }),
      ),
    )
    created += group
  }
  // Those of the first page, half of them with an installer.
  for (const { id } of latest.slice(-50).filter(({ id }) => id % 2 === 0)) {
    await sav.cases.update(actor, id, { poseur_id: poseur.id, statut: 'en_cours' })
  }
  await storage.close()
  return { key, client_id: clients[0]?.id ?? 0 }
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
  const { sav, storage } = await composed(env)
  const shops: Shop[] = []
  for (const name of names) {
    await sav.accounts.add(as(name), name)
    const key = await furnish(sav, name, receivers)
    const [client] = await addClients(sav, name, 1)
    shops.push({ key, client_id: client?.id ?? 0 })
  }
  await storage.close()
  return shops
}

/** A key, and the endpoints. */
async function furnish(sav: Sav, account_id: string, receivers: readonly string[]): Promise<string> {
  const { key } = await sav.keys.create(as(account_id), {
    nom: 'bench',
    permissions: ['sav:read', 'sav:write'],
    expire: new Date(Date.now() + 1000 * 86_400_000).toISOString(),
  })
  for (const url of receivers) await sav.webhooks.endpoints.add(as(account_id), { url, events: ['sav.created'] })
  return key
}

function addClients(sav: Sav, account_id: string, count: number): Promise<{ id: number }[]> {
  return Promise.all(
    Array.from({ length: count }, (_, n) =>
      sav.directory.clients.add(as(account_id), { nom: `Martin ${n}`, prenom: 'Léa' }),
    ),
  )
}
