import type { Clock } from '@sav/core/ports'
import { Counter, type Registry } from 'prom-client'

/** The number of accounts with their own series. */
const shown = 10

/** Use this long ago counts half in the choice. */
const halfLifeMs = 600_000

/** How many times more another account must use to replace one of them. */
const clearly = 2

/** The series of all other accounts. No account can have that name. */
const others = '(others)'

/** Counts use by account. */
export interface AccountCounter {
  note(account_id: string): void
  /** Chooses which accounts have their own series; called before each scrape. */
  choose(): void
}

/**
 * The most active accounts have their own series, and the rest share one, so that the number of series is bounded
 * however many accounts there are. A series never falls: an account counts among the others until it gets its own,
 * which begins at 0, and again after it loses it.
 */
export function accountCounter(
  { name, help }: { readonly name: string; readonly help: string },
  { registers, clock }: { readonly registers: Registry[]; readonly clock: Pick<Clock, 'monotonic'> },
): AccountCounter {
  const counter = new Counter({ name, help, labelNames: ['account'], registers })
  const own = new Set<string>()
  const weights = new Map<string, number>()
  let chosenAt = clock.monotonic()
  counter.inc({ account: others }, 0)

  const weightOf = (account: string) => weights.get(account) ?? 0

  function fade(): void {
    const now = clock.monotonic()
    const share = 0.5 ** ((now - chosenAt) / halfLifeMs)
    chosenAt = now
    for (const [account, weight] of weights)
      if (weight * share < 0.5) weights.delete(account)
      else weights.set(account, weight * share)
  }

  return {
    note(account_id) {
      weights.set(account_id, weightOf(account_id) + 1)
      counter.inc({ account: own.has(account_id) ? account_id : others })
    },
    choose() {
      fade()
      const rising = [...weights.keys()].filter((account) => !own.has(account))
      rising.sort((a, b) => weightOf(b) - weightOf(a))
      for (const account of rising.slice(0, shown)) {
        const [least] = [...own].sort((a, b) => weightOf(a) - weightOf(b))
        if (own.size === shown && least !== undefined) {
          if (weightOf(account) <= clearly * weightOf(least)) return
          own.delete(least)
          counter.remove({ account: least })
        }
        own.add(account)
        counter.inc({ account }, 0)
      }
    },
  }
}
