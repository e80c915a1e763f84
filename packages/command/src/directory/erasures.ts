import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import type { StoreStorage } from '../store/database.js'
import { type Column, wholeList } from '../terminal/columns.js'
import { peopleTime } from '../terminal/people-time.js'

/** An erased client, without personal data. */
export interface Erasure {
  readonly account: string
  /** The id of the client. */
  readonly id: number
  /** When the client was erased, as an instant in ISO format. */
  readonly efface_le: string
}

/** Lists the erasures of every account, or of the given one. `sav restore --erasures` repeats them. */
export async function listErasures(context: Context): Promise<Output> {
  const { storage } = await (context.accountGiven ? context.openAccount() : context.open())
  const everybody = await erasuresIn(storage)
  const erasures = context.accountGiven ? everybody.filter(({ account }) => account === context.account) : everybody
  const local = peopleTime(context)
  const columns: Column<Erasure>[] = [
    { field: 'account', head: 'ACCOUNT', cell: ({ account }) => account },
    { field: 'id', head: 'CLIENT', cell: ({ id }) => id, whole: true },
    { field: 'efface_le', head: `ERASED (${local.timeZone})`, cell: (row) => local.at(row.efface_le), whole: true },
  ]
  return wholeList(context, { columns, empty: 'No client was erased.' }, erasures)
}

export function erasuresIn({ db }: Pick<StoreStorage, 'db'>): Promise<Erasure[]> {
  return db
    .selectFrom('clients')
    .select(['account_id as account', 'id', 'efface_le'])
    .where('efface_le', 'is not', null)
    .$narrowType<{ efface_le: string }>()
    .orderBy('account_id')
    .orderBy('id')
    .execute()
}
