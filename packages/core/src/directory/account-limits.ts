import { conflict } from '../errors.js'
import type { StoredFile } from '../files/stored-file.js'
import { TtlCache } from '../running/ttl-cache.js'
import type { Reads } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { type BusinessCalendar, toInstant } from '../time/time.js'
import type { Account } from './directory.js'

/** The last case number that an account may use in a year. Numbers have no gaps, so they count the cases. */
export interface AllowedCases {
  readonly annee: number
  readonly upTo: number
  readonly max: number
  /** `2026-01` */
  readonly mois: string
}

/** The limits of an account, if the operator sets any. A change takes effect within a second. */
export interface AccountLimits {
  /** The limit of this month; null: none. @throws ConflictError when it is reached */
  cases(reads: LimitReads, account_id: string): Promise<AllowedCases | null>
  /**
   * Checks that these files fit. Concurrent calls do not count each other's files.
   * @throws ConflictError when the files exceed the account's limit
   */
  files(reads: LimitReads, account_id: string, files: readonly Pick<StoredFile, 'content'>[]): Promise<void>
}

type LimitReads = Pick<Reads, 'accounts' | 'cases' | 'files'>

const ttlMs = 500

export function createAccountLimits(
  clock: Pick<Clock, 'now' | 'monotonic'>,
  calendar: Pick<BusinessCalendar, 'dateAt' | 'yearAt' | 'startOfDay'>,
): AccountLimits {
  const accounts = new TtlCache<string, Pick<Account, 'dossiers_par_mois' | 'stockage_octets'>>(clock, ttlMs)
  const months = new TtlCache<string, AllowedCases & { readonly last: number }>(clock, ttlMs)

  async function limitsOf(reads: LimitReads, account_id: string) {
    const known = accounts.get(account_id)
    if (known !== undefined) return known
    const found = await reads.accounts.find(account_id)
    if (found !== null) accounts.set(account_id, found)
    return found
  }

  return {
    async cases(reads, account_id) {
      const max = (await limitsOf(reads, account_id))?.dossiers_par_mois ?? null
      if (max === null) return null
      const now = clock.now()
      const mois = calendar.dateAt(now).slice(0, 7)
      const known = months.get(account_id)
      if (known?.mois === mois && known.max === max) return unlessFull(known)
      const annee = calendar.yearAt(now)
      const beginning = (month: string) => toInstant(calendar.startOfDay(`${month}-01`))
      const year = { annee, from: beginning(`${annee}-01`), before: beginning(mois) }
      const { last, before } = await reads.cases.numbered(account_id, year)
      const allowed = { annee, mois, max, upTo: before + max, last }
      months.set(account_id, allowed)
      return unlessFull(allowed)
    },
    async files(reads, account_id, files) {
      if (files.length === 0) return
      const max = (await limitsOf(reads, account_id))?.stockage_octets ?? null
      if (max === null) return
      const stored = await reads.files.stored(account_id)
      const added = files.reduce((bytes, { content }) => bytes + content.length, 0)
      if (stored + added > max) throw conflict('account_storage_full', { max, stored, added })
    },
  }
}

/** @throws ConflictError */
function unlessFull(allowed: AllowedCases & { readonly last: number }): AllowedCases {
  if (allowed.last >= allowed.upTo) throw tooManyCases(allowed)
  return allowed
}

const tooManyCases = ({ max, mois }: AllowedCases) => conflict('account_cases_full', { max, mois })

/** @throws ConflictError for a new case whose number exceeds the limit */
export function refuseBeyond(allowed: AllowedCases | null, { annee, numero }: { annee: number; numero: number }): void {
  if (allowed !== null && annee === allowed.annee && numero > allowed.upTo) throw tooManyCases(allowed)
}
