import type { AuditRecord } from '../../access/audit-record.js'
import type { AuditReads, AuditWrites } from '../../access/audit-store.js'
import type { BucketWrites, StoredBucket } from '../../access/bucket-store.js'
import type { IdempotencyReads, IdempotencyWrites } from '../../access/idempotency-store.js'
import type { KeptAnswer } from '../../access/kept-answer.js'
import type { ProcessWrites } from '../../access/processes.js'
import { by, reversed } from './rows.js'
import { keyOf, type Tables } from './tables.js'

const newestFirst = reversed(
  by<Pick<AuditRecord, 'time' | 'id'>>(
    ({ time }) => time,
    ({ id }) => id,
  ),
)

function auditReads({ audit }: Tables): AuditReads {
  return {
    async list(account_id, { since = '', before, key_id, user_id, after, limit }) {
      const found = audit.where(
        (call) =>
          call.account_id === account_id &&
          call.time >= since &&
          (before === undefined || call.time < before) &&
          (key_id === undefined || call.key_id === key_id) &&
          (user_id === undefined || call.user_id === user_id) &&
          (after === undefined || newestFirst(call, after) > 0),
      )
      return found.sort(newestFirst).slice(0, limit)
    },
    purgeable: async (before) => audit.where(({ time }) => time < before).length,
  }
}

export function memoryAudit(tables: Tables): AuditWrites {
  return {
    ...auditReads(tables),
    async add(calls) {
      for (const call of calls) tables.audit.put(call.id, call)
    },
    async purge(before, limit) {
      const gone = tables.audit.where(({ time }) => time < before).slice(0, limit)
      for (const { id } of gone) tables.audit.remove(id)
      return gone.length
    },
  }
}

function answerReads({ answers }: Tables): IdempotencyReads {
  return {
    find: async (account_id, key_id, request) => answers.get(keyOf(account_id, key_id, request)) ?? null,
    purgeable: async (before) => answers.where(({ created_at }) => created_at < before).length,
  }
}

export function memoryIdempotency(tables: Tables): IdempotencyWrites {
  return {
    ...answerReads(tables),
    async add(answer, notBefore) {
      const key = keyOf(answer.account_id, answer.key_id, answer.request)
      const standing = tables.answers.get(key)
      if (standing !== undefined && standing.created_at >= notBefore) return false
      tables.answers.put(key, answer)
      return true
    },
    async erase(account_id, about) {
      const isAbout = (answer: KeptAnswer) =>
        'client_id' in about ? answer.client_id === about.client_id : answer.case_id === about.case_id
      for (const answer of tables.answers.where((row) => row.account_id === account_id && isAbout(row)))
        tables.answers.put(keyOf(account_id, answer.key_id, answer.request), { ...answer, answer: '', body: '' })
    },
    async purge(before, limit) {
      const gone = tables.answers.where(({ created_at }) => created_at < before).slice(0, limit)
      for (const { account_id, key_id, request } of gone) tables.answers.remove(keyOf(account_id, key_id, request))
      return gone.length
    },
  }
}

export function memoryProcesses(tables: Tables): ProcessWrites {
  const alive = tables.own<string, { readonly id: string; readonly at: string }>('processes')
  return {
    now: async (own) => own,
    async noteAlive(process, since) {
      for (const { id } of alive.where(({ at }) => at < since)) alive.remove(id)
      alive.put(process.id, process)
      return alive.where(({ id }) => id !== process.id).length
    },
  }
}

export function memoryBuckets(tables: Tables): BucketWrites {
  const buckets = tables.own<string, StoredBucket>('buckets')
  return {
    claim: async (names) => names.map((name) => buckets.get(name) ?? { name, full_at: 0 }),
    async save(saved) {
      for (const bucket of saved) buckets.put(bucket.name, bucket)
    },
    async forget(fullBefore) {
      for (const { name } of buckets.where(({ full_at }) => full_at < fullBefore)) buckets.remove(name)
    },
  }
}
