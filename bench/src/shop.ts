import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createSav } from '@sav/core'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { runPart, runSav } from '#processes'

export type ShopEnv = ReturnType<typeof shopEnv>

/** Settings of a shop in `folder`: what an operator has, with room for a bench under the same rate limiter. */
export function shopEnv(folder: string) {
  return {
    SAV_DATABASE: `sqlite:${join(folder, 'sav.db')}`,
    SAV_SECRET_KEY: randomBytes(32).toString('base64'),
    SAV_WEBHOOK_ALLOW_LOCAL: '1',
    SAV_RATE_LIMIT: 'reads=100000000/min,writes=100000000/min',
  }
}

export const databaseOf = (env: ShopEnv): string => env.SAV_DATABASE.slice('sqlite:'.length)

export interface Contents {
  readonly cases: number
  /** Over how many days, the last one today, the cases were created. */
  readonly days: number
  /** Addresses of endpoints that want every creation. */
  readonly receivers: readonly string[]
}

export interface Shop {
  readonly key: string
  readonly client_id: number
}

/** Makes a shop and fills it through the core, as its API would: about 10,000 cases a second. */
export async function fillShop(folder: string, env: ShopEnv, contents: Contents): Promise<Shop> {
  await runSav(['init'], { folder, env })
  return runPart(import.meta.url, fill, { env, contents })
}

const account_id = 'default'
const day = 86_400_000

export async function fill({ env, contents }: { env: ShopEnv; contents: Contents }): Promise<Shop> {
  const { cases, days, receivers } = contents
  const storage = await openSqlite(databaseOf(env))
  let created = 0
  const now = () => Date.now() - days * day * (1 - created / cases)
  const sav = createSav({
    storage,
    clock: { now: () => (days === 0 ? Date.now() : Math.floor(now())), after: () => () => {} },
    random: randomBytes,
    secretKey: Buffer.from(env.SAV_SECRET_KEY, 'base64'),
    timeZone: 'Europe/Paris',
    webhooks: {
      http: { post: () => Promise.reject(new Error('nothing is sent while a shop is filled')), close: async () => {} },
      receivers: { allowLocal: true },
      schedule: [0],
      timeoutMs: 1000,
      concurrency: { total: 1, perTarget: 1 },
      channels: {},
      observe: () => {},
    },
  })
  const { key } = await sav.keys.create(account_id, {
    nom: 'bench',
    permissions: ['sav:read', 'sav:write'],
    expire_jours: 3650,
  })
  for (const url of receivers) await sav.webhooks.add(account_id, { url, events: ['sav.created'] })
  const clients = await Promise.all(
    Array.from({ length: 500 }, (_, n) => sav.directory.clients.add(account_id, { nom: `Martin ${n}`, prenom: 'Léa' })),
  )
  const poseur = await sav.directory.poseurs.add(account_id, { nom: 'Karim Benali' })

  const actor = { account_id, type: 'cli', id: null, nom: 'bench' } as const
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
