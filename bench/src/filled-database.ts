import type { Contender } from '#contenders/contender'
import { type Batch, type DeliveryRate, delivering } from '#delivering'
import { type Postgres, query } from '#postgres'
import type { Receiver } from '#receiver'

/** The name of the database that a contender has filled. The database itself is only copied, never changed. */
export const filled = ({ name }: Contender) => `${name.replace('-', '_')}_filled`

/** Runs a contender on a fresh copy of its filled database. */
export async function deliverFilled(
  contender: Contender,
  batch: Batch,
  { postgres, receiver }: { readonly postgres: Postgres; readonly receiver: Receiver },
): Promise<DeliveryRate> {
  const database = await postgres.create('working', filled(contender))
  try {
    return await delivering({
      batch,
      receiver,
      start: () => contender.start({ database }),
      recorded: async () => Number((await query(database, contender.recorded))[0]?.['count']),
    })
  } finally {
    await postgres.drop('working')
  }
}
