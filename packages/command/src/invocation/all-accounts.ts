import type { SavClient } from '@sav/http-node/client'
import { usageError } from '../process/command-error.js'
import type { Context } from './context.js'

export interface AllAccounts {
  /** Works on every account of the store. */
  readonly all_accounts?: true
}

/** @throws CommandError if an account was given */
export function refuseOneAccount({ remote, accountGiven, account }: Context): void {
  if (remote !== null) throw usageError(`--all-accounts does nothing at ${remote.url}: a key belongs to one account.`)
  if (accountGiven)
    throw usageError(`--all-accounts and --account ${account} cannot be used together: give one of them.`)
}

/** The API in every account that has or had an endpoint. */
export async function* inAccountsWithEndpoints(
  context: Context,
): AsyncGenerator<{ readonly account: string; readonly api: SavClient }> {
  refuseOneAccount(context)
  const { db } = (await context.open()).storage
  const rows = await db.selectFrom('webhook_endpoints').select('account_id').distinct().orderBy('account_id').execute()
  for (const { account_id } of rows) yield { account: account_id, api: await context.api(account_id) }
}
