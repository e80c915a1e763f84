import { AsyncLocalStorage } from 'node:async_hooks'
import { UnavailableError } from '../errors.js'
import type { Reads, Storage, Transaction } from '../ports.js'
import { answerReads, answerWrites, auditReads, auditWrites, memoryProcesses } from './memory/access.js'
import { caseReads, caseWrites } from './memory/cases.js'
import {
  accountReads,
  accountWrites,
  directoryReads,
  directoryWrites,
  keyReads,
  keyWrites,
} from './memory/directory.js'
import { evidenceReads, evidenceWrites, fileReads, fileWrites } from './memory/evidence.js'
import { memoryQueue } from './memory/queue.js'
import { reportReads, reportWrites } from './memory/reports.js'
import { Tables } from './memory/tables.js'
import { outbox, webhookReads, webhookWrites } from './memory/webhooks.js'

/**
 * A store that forgets everything with the process, for tests. It keeps every promise of the port but durability.
 * Transactions run one after the other. It uses neither time nor chance nor timers: everything resolves by microtasks.
 */
export function memoryStorage(): Storage {
  const committed = new Tables()
  const scope = new AsyncLocalStorage<{ open: boolean }>()
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  /** In the order of the calls, each one after the end of those before it. */
  async function alone<T>(work: () => T | Promise<T>): Promise<T> {
    if (closed) throw unavailable()
    if (scope.getStore()?.open) throw new Error('A transaction is open here already: use its `tx`.')
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }

  return {
    ...reads(committed),
    transaction: (work) =>
      alone(async () => {
        const draft = new Tables(committed)
        const transaction = { open: true }
        try {
          const result = await scope.run(transaction, () => work(writes(draft)))
          draft.commit()
          return result
        } finally {
          transaction.open = false
        }
      }),
    queue: memoryQueue(committed, alone),
    processes: memoryProcesses(alone),
    async ping() {
      if (closed) throw unavailable()
    },
    async close() {
      closed = true
      await last
    },
  }
}

function unavailable(): UnavailableError {
  return new UnavailableError('The store is closed.', { retryAfterSeconds: 1 })
}

function reads(tables: Tables): Reads {
  return {
    accounts: accountReads(tables),
    keys: keyReads(tables),
    audit: auditReads(tables),
    answers: answerReads(tables),
    directory: directoryReads(tables),
    cases: caseReads(tables),
    files: fileReads(tables),
    evidence: evidenceReads(tables),
    reports: reportReads(tables),
    webhooks: webhookReads(tables),
    fact: async (name) => tables.facts.get(name) ?? null,
  }
}

function writes(tables: Tables): Transaction {
  return {
    accounts: accountWrites(tables),
    keys: keyWrites(tables),
    audit: auditWrites(tables),
    answers: answerWrites(tables),
    directory: directoryWrites(tables),
    cases: caseWrites(tables),
    files: fileWrites(tables),
    evidence: evidenceWrites(tables),
    reports: reportWrites(tables),
    webhooks: webhookWrites(tables),
    outbox: outbox(tables),
    fact: async (name) => tables.facts.get(name) ?? null,
    async setFact(name, value) {
      tables.facts.put(name, value)
    },
  }
}
