import type { Actor } from '@sav/core'
import { parseRateLimit } from '@sav/core/adapter'
import type { Storage } from '@sav/core/ports'
import { secureRandom, systemClock } from '@sav/http-node/runtime'
import { fileOf, isPostgres, type ShopEnv } from '#shop-env'
import { createUseCases, openPostgres, openSqlite, type WholeSav } from '../../test/whole/opening.js'

/** The actor that fills a store for a bench. */
export const as = (account_id: string): Actor => ({ account_id, type: 'cli', id: null, nom: 'bench' })

export interface ComposedSav {
  readonly sav: WholeSav
  readonly storage: Storage
}

/** The service inside this process, as a host composes it. */
export async function composed(env: ShopEnv, { now = Date.now }: { now?: () => number } = {}): Promise<ComposedSav> {
  const storage = isPostgres(env) ? await openPostgres(env.SAV_DATABASE) : await openSqlite(fileOf(env))
  const sav = createUseCases({
    storage,
    clock: { ...systemClock, now },
    random: secureRandom,
    secretKey: Buffer.from(env.SAV_SECRET_KEY, 'base64'),
    timeZone: 'Europe/Paris',
    rateLimit: parseRateLimit(env.SAV_RATE_LIMIT),
    receivers: { allowLocal: true },
  })
  return { sav, storage }
}
