import type { Storage, Transaction } from '@sav/core/ports'
import { accountContract, keyContract } from './contract/accounts.js'
import { auditContract } from './contract/audit.js'
import { caseListContract } from './contract/case-list.js'
import { caseContract } from './contract/cases.js'
import { claimContract } from './contract/claims.js'
import { deliveryHistoryContract, outboxContract } from './contract/deliveries.js'
import { directoryContract } from './contract/directory.js'
import { dueContract } from './contract/due.js'
import { endpointContract } from './contract/endpoints.js'
import { erasedAccountContract } from './contract/erased-accounts.js'
import { erasureContract } from './contract/erasure.js'
import { eventContract } from './contract/events.js'
import { evidenceContract } from './contract/evidence.js'
import { factContract } from './contract/facts.js'
import { fileRemovalContract } from './contract/file-removals.js'
import { fileContract } from './contract/files.js'
import { idempotencyContract } from './contract/idempotency.js'
import { processContract } from './contract/processes.js'
import { replayContract } from './contract/replays.js'
import { reportContract } from './contract/reports.js'
import { recordContract, reopenContract } from './contract/results.js'
import { expiryContract, purgeContract } from './contract/retention.js'
import { subscriptionContract } from './contract/subscriptions.js'
import type { Suite, Vitest } from './contract/suite.js'
import { transactionContract } from './contract/transactions.js'
import { viewContract } from './contract/views.js'
import { walkContract } from './contract/walks.js'
import { watchContract } from './contract/watch.js'
import { addCase, addOwner } from './samples/samples.js'

/** The storage to test, and the test runner. */
export interface StorageContract {
  /** The implementation's name in the report. */
  readonly name: string
  /** Opens an empty, migrated store. Each test opens one and closes it. */
  readonly open: () => Promise<Storage>
  /** The test runner, from `import * as vitest from 'vitest'`: install it only to run the contract. */
  readonly vitest: Vitest
  /** The contracts of features: the `…Contract` of `@sav/insight/testing`. Default: none. */
  readonly features?: readonly ((suite: Suite) => void)[]
}

/**
 * Registers the tests that every implementation of the `Storage` port must pass, including your own adapter. They check
 * the port's promises one by one, and only through the port.
 */
export function storageContract({ name, open, vitest, features = [] }: StorageContract): void {
  const { describe, expect } = vitest
  const suite: Suite = {
    describe,
    expect,
    it: (promise, test) => {
      vitest.it(promise, async () => {
        const storage = await open()
        try {
          await test(storage)
        } finally {
          await storage.close()
        }
      })
    },
  }

  describe(`storage contract: ${name}`, () => {
    for (const part of [...Object.values(ofRepositories).flat(), ...features, ...parts]) part(suite)
    lifeContract({ name, open, vitest })
  })
}

/** The tests of each repository of the port; the type requires all of them. */
const ofRepositories: { readonly [Name in Exclude<keyof Transaction, 'of'>]: readonly ((suite: Suite) => void)[] } = {
  accounts: [accountContract],
  erasedAccounts: [erasedAccountContract],
  keys: [keyContract],
  views: [viewContract],
  audit: [auditContract],
  idempotency: [idempotencyContract],
  directory: [directoryContract],
  cases: [caseContract, caseListContract],
  files: [fileContract],
  fileRemovals: [fileRemovalContract],
  evidence: [evidenceContract],
  reports: [reportContract],
  endpoints: [endpointContract],
  deliveries: [deliveryHistoryContract, reopenContract],
  events: [eventContract],
  replays: [replayContract],
  facts: [factContract],
  outbox: [outboxContract, subscriptionContract],
  processes: [processContract],
}

/** The tests across repositories. */
const parts = [
  transactionContract,
  walkContract,
  watchContract,
  erasureContract,
  dueContract,
  claimContract,
  recordContract,
  expiryContract,
  purgeContract,
]

/** These tests close the store themselves. */
function lifeContract({ open, vitest: { describe, it, expect } }: StorageContract): void {
  describe('life of a store', () => {
    it('an open store answers a ping, a closed one is unavailable', async () => {
      const storage = await open()
      await storage.ping()
      await storage.close()
      await expect(storage.ping()).rejects.toMatchObject({ code: 'unavailable' })
    })

    it('a close waits for running calls', async () => {
      const storage = await open()
      const owner = await addOwner(storage, 'ours')
      const adding = Array.from({ length: 5 }, () => addCase(storage, owner))
      const [cases] = await Promise.all([Promise.all(adding), storage.close()])
      expect(
        cases
          .map(({ reference }) => reference)
          .toSorted()
          .at(-1),
      ).toBe('SAV-2026-00005')
    })

    it('two stores share nothing', async () => {
      const [first, second] = [await open(), await open()]
      await addOwner(first, 'ours')
      expect(await second.reads.accounts.list()).toEqual([])
      await Promise.all([first.close(), second.close()])
    })
  })
}
