import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

export type ShopEnv = ReturnType<typeof shopEnv>

/**
 * The settings of a shop, in a SQLite file of `folder` unless a database is given. The rate limiter runs, but its limit
 * is never reached.
 */
export function shopEnv(folder: string, database = `sqlite:${join(folder, 'sav.db')}`) {
  return {
    SAV_DATABASE: database,
    SAV_AUTO_MIGRATE: '1',
    SAV_SECRET_KEY: randomBytes(32).toString('base64'),
    SAV_WEBHOOK_ALLOW_LOCAL: '1',
    SAV_RATE_LIMIT: 'reads=100000000/min,writes=100000000/min',
  }
}

export const isPostgres = (env: ShopEnv): boolean => env.SAV_DATABASE.startsWith('postgres:')

/** The file of a shop on SQLite. */
export const fileOf = (env: ShopEnv): string => env.SAV_DATABASE.slice('sqlite:'.length)
