import type { AuditQuery, AuditRecord, AuditWrites } from '@sav/core/ports'
import type { Session } from './session.js'
import { insertions, type Named, shapes, statement } from './statement.js'

/** Under which calls stand that no account could be found for. */
const nobody = ''

type Query = {
  readonly account_id: string
  readonly since?: string | undefined
  readonly key_id?: string | undefined
  readonly after_time?: string | undefined
  readonly after_id?: string | undefined
  readonly limit: number
}

// In the order of the primary key, or of the index audit_key.
const listCalls = shapes((bound) =>
  statement((db, p: Named<Query>) =>
    db
      .selectFrom('audit')
      .selectAll()
      .where('account_id', '=', p('account_id'))
      .$if(bound.has('key_id'), (calls) => calls.where('key_id', '=', p('key_id')))
      .$if(bound.has('since'), (calls) => calls.where('time', '>=', p('since')))
      .$if(bound.has('after_id'), (calls) =>
        calls.where((eb) => eb(eb.refTuple('time', 'id'), '<', eb.tuple(p('after_time'), p('after_id')))),
      )
      .orderBy('time', 'desc')
      .orderBy('id', 'desc')
      .limit(p('limit')),
  ),
)

const columns = {
  account_id: 'text',
  time: 'text',
  id: 'text',
  ip: 'text',
  method: 'text',
  endpoint: 'text',
  key_id: 'text',
  status: 'integer',
  duration_ms: 'integer',
  request_id: 'text',
} as const
const addCalls = insertions('audit', columns)

export class Audit implements AuditWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async list(account_id: string | null, { after, ...query }: AuditQuery): Promise<AuditRecord[]> {
    const position = { after_time: after?.time, after_id: after?.id }
    const values = { account_id: account_id ?? nobody, ...query, ...position }
    const rows = await this.#session.all(listCalls(values), values)
    return rows.map((row) => ({ ...row, account_id: row.account_id === nobody ? null : row.account_id }))
  }

  async add(calls: readonly AuditRecord[]): Promise<void> {
    await this.#session.later(
      addCalls,
      calls.map((call) => ({ ...call, account_id: call.account_id ?? nobody })),
    )
  }
}
