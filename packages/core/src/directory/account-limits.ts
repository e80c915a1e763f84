import { conflict } from '../errors.js'
import type { StoredFile } from '../files/stored-file.js'
import { TtlCache } from '../running/ttl-cache.js'
import type { Reads, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import type { Account } from './directory.js'

/** What an account may hold; null: as much as it likes. */
export type Limits = Pick<Account, 'dossiers_max_mois' | 'stockage_max_octets'>

/** What an account holds of what may be limited. */
export interface AccountUse {
  /** Cases created since the month (UTC) began. */
  readonly dossiers_mois: number
  /** Of files: photos, signatures, reports; in bytes. */
  readonly stockage_octets: number
}

/** What is known of the limits of accounts that wrote a moment ago. */
export interface KnownLimits {
  of(account_id: string): Promise<Limits>
  /** The next `of` asks the store. */
  forget(account_id: string): void
}

/** A limit that is changed holds everywhere within a second. */
const ttlMs = 500

export const unlimited: Limits = { dossiers_max_mois: null, stockage_max_octets: null }

export function createKnownLimits(clock: Pick<Clock, 'monotonic'>, reads: Pick<Reads, 'accounts'>): KnownLimits {
  const cache = new TtlCache<string, Limits>(clock, ttlMs)
  return {
    async of(account_id) {
      const known = cache.get(account_id)
      if (known !== undefined) return known
      const limits = (await reads.accounts.find(account_id)) ?? unlimited
      cache.set(account_id, limits)
      return limits
    },
    forget: (account_id) => cache.delete(account_id),
  }
}

export async function accountUse(
  reads: Pick<Reads, 'cases' | 'files'>,
  account_id: string,
  at: string,
): Promise<AccountUse> {
  const [dossiers_mois, stockage_octets] = await Promise.all([
    reads.cases.countSince(account_id, `${at.slice(0, 7)}-01`),
    reads.files.bytesOf(account_id),
  ])
  return { dossiers_mois, stockage_octets }
}

interface Wanted {
  readonly account_id: string
  readonly limits: Limits
  /** Instant of the write. */
  readonly at: string
  readonly cases?: number
  readonly files: readonly Pick<StoredFile, 'content'>[]
}

/** Asks the store only where there is a limit. @throws ConflictError where it would be passed */
export async function refuseBeyondLimits(
  tx: Pick<Transaction, 'cases' | 'files'>,
  { account_id, limits, at, cases = 0, files }: Wanted,
): Promise<void> {
  const { dossiers_max_mois, stockage_max_octets } = limits
  if (dossiers_max_mois !== null && cases > 0) {
    const created = await tx.cases.countSince(account_id, `${at.slice(0, 7)}-01`)
    if (created + cases > dossiers_max_mois) throw conflict('cases_of_month_used_up', { max: dossiers_max_mois })
  }
  if (stockage_max_octets !== null && files.length > 0) {
    const more = files.reduce((sum, { content }) => sum + content.length, 0)
    if ((await tx.files.bytesOf(account_id)) + more > stockage_max_octets)
      throw conflict('storage_used_up', { max: megabytes(stockage_max_octets) })
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 1e4) / 100
