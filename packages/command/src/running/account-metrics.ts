import type { Clock } from '@sav/core/ports'
import { Counter, type Registry } from 'prom-client'

/** How many accounts have a series of their own. */
const shown = 10

/** The half-life of use: a call this long ago counts half when the accounts with their own series are chosen. */
const halfLifeMs = 600_000

/** An account replaces another one only if its recent use is more than this many times that of the other. */
const clearly = 2

/** The label of the series that all other accounts share. No account can have this name. */
const others = '(others)'

/** Counts the calls of each account. */
export interface AccountCounter {
  note(account_id: string): void
  /** Chooses which accounts have their own series; called before each scrape. */
  choose(): void
}

/**
 * Counts use by account, with a bounded number of series. The most active accounts have their own series, and all
 * others share one. No series ever decreases: each call is counted in the account's own series if it has one at that
 * time, and otherwise in the shared one. An own series begins at 0.
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
