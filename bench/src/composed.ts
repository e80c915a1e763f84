import { allFeatures } from '@sav/all'
import { allTables as features } from '@sav/all/kysely'
import { type Actor, createUseCases } from '@sav/core'
import { parseRateLimit } from '@sav/core/adapter'
import type { Storage } from '@sav/core/ports'
import { secureRandom, systemClock } from '@sav/http-node/runtime'
import { openPostgres } from '@sav/storage-kysely/postgres'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { fileOf, isPostgres, type ShopEnv } from '#shop-env'

/** The actor that fills a store for a bench. */
export const as = (account_id: string): Actor => ({ account_id, type: 'cli', id: null, nom: 'bench' })

const useCasesOn = (storage: Storage, env: ShopEnv, now: () => number) =>
  createUseCases({
    features: allFeatures(),
    storage,
    clock: { ...systemClock, now },
    random: secureRandom,
    secretKey: Buffer.from(env.SAV_SECRET_KEY, 'base64'),
    timeZone: 'Europe/Paris',
    rateLimit: parseRateLimit(env.SAV_RATE_LIMIT),
    receivers: { allowLocal: true },
  })

export interface ComposedSav {
  readonly sav: ReturnType<typeof useCasesOn>
  readonly storage: Storage
}

/** Composes the service inside this process, as a host does. */
export async function composed(env: ShopEnv, { now = Date.now }: { now?: () => number } = {}): Promise<ComposedSav> {
  const storage = isPostgres(env)
    ? await openPostgres(env.SAV_DATABASE, { features })
    : await openSqlite(fileOf(env), { features })
  return { sav: useCasesOn(storage, env, now), storage }
}
