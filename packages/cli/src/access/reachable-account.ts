import type { AccountInput, AccountView } from '@sav/core'
import { CommandError } from '../invocation/command-error.js'
import type { Context } from '../invocation/context.js'
import { exitCodes } from '../invocation/exit-codes.js'
import { reach } from '../invocation/reachable.js'

/** An account as the API shows it. */
export interface AccountOnTheWire extends Omit<AccountView, 'logo' | 'created_at'> {
  /** Whether there is one. */
  readonly logo: boolean
}

/** One account, of the store or over the network. */
export interface ReachableAccount {
  get(): Promise<AccountOnTheWire>
  update(input: AccountInput): Promise<AccountOnTheWire>
}

/** @param name of the account; without it the one of `--account`, or that of the key */
export function reachableAccount(context: Context, name: string | undefined): Promise<ReachableAccount> {
  return reach<ReachableAccount>(context, {
    account_id: name,
    here: ({ sav: { accounts, writes }, account_id, actor, perform }) => ({
      get: async () => onTheWire(await accounts.get(account_id)),
      update: async (input) => onTheWire(await perform(writes.accounts.update(actor, input))),
    }),
    there: ({ client, data }) => {
      const get = async () => {
        const account = await data(client.get('/api/v1/compte'))
        if (name !== undefined && name !== account.id) throw ofAnotherKey(name, account.id)
        return account
      }
      return {
        get,
        async update(body) {
          if (name !== undefined) await get()
          return data(client.put('/api/v1/compte', { body }))
        },
      }
    },
  })
}

const onTheWire = ({ logo, created_at: _, ...view }: AccountView): AccountOnTheWire => ({
  ...view,
  logo: logo !== null,
})

const ofAnotherKey = (name: string, own: string) =>
  new CommandError('account_not_found', `The key is one of the account ${own}: of ${name} it knows nothing.`, {
    exitCode: exitCodes.notFound,
  })
