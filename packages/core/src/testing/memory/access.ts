import type { AuditRecord } from '../../access/audit-record.js'
import type { AnswerReads, AnswerWrites, AuditReads, AuditWrites, Processes } from '../../ports.js'
import { by, reversed } from './rows.js'
import { type Alone, keyOf, type Tables } from './tables.js'

const newestFirst = reversed(
  by<Pick<AuditRecord, 'time' | 'id'>>(
    ({ time }) => time,
    ({ id }) => id,
  ),
)

export function auditReads({ audit }: Tables): AuditReads {
  return {
    async list(account_id, { since = '', key_id, after, limit }) {
      const found = audit.where(
        (call) =>
          call.account_id === account_id &&
          call.time >= since &&
          (key_id === undefined || call.key_id === key_id) &&
          (after === undefined || newestFirst(call, after) > 0),
      )
      return found.sort(newestFirst).slice(0, limit)
    },
  }
}

export function auditWrites(tables: Tables): AuditWrites {
  return {
    ...auditReads(tables),
    async add(calls) {
      for (const call of calls) tables.audit.put(call.id, call)
    },
  }
}

export function answerReads({ answers }: Tables): AnswerReads {
  return {
    find: async (account_id, key_id, request) => answers.get(keyOf(account_id, key_id, request)) ?? null,
  }
}

export function answerWrites(tables: Tables): AnswerWrites {
  return {
    ...answerReads(tables),
    async add(answer, notBefore) {
      const key = keyOf(answer.account_id, answer.key_id, answer.request)
      const standing = tables.answers.get(key)
      if (standing !== undefined && standing.created_at >= notBefore) return false
      tables.answers.put(key, answer)
      return true
    },
  }
}

export function memoryProcesses(alone: Alone): Processes {
  const said = new Map<string, { readonly at: string; readonly says: string }>()
  return {
    exchange: ({ id, at, says }, aliveSince) =>
      alone(() => {
        for (const [other, { at }] of said) if (at < aliveSince) said.delete(other)
        said.set(id, { at, says })
        return [...said].filter(([other]) => other !== id).map(([, other]) => other.says)
      }),
  }
}
