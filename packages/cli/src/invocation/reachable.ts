import { createClient, type SavClient } from '@sav/http-node/client'
import type { Context, OpenedAccount } from './context.js'
import { answered } from './service-answer.js'

/** A use case without its caller: whoever reaches it knows who that is. */
type Reached<UseCase> = UseCase extends (caller: never, ...rest: infer Rest) => infer Answer
  ? (...rest: Rest) => Answer
  : never

/** Use cases as a command has them, of the store or over the network. */
export type Reachable<Room, Names extends keyof Room = keyof Room> = { readonly [Name in Names]: Reached<Room[Name]> }

/** A running service; what it refuses, and that it cannot be reached, is thrown as a CommandError. */
export interface Service {
  readonly client: SavClient
  answer<T>(call: Promise<T>): Promise<T>
  /** What is in the answer. */
  data<T>(call: Promise<{ readonly data: T }>): Promise<T>
  /** A page of a list. */
  listed<T, P>(call: Promise<{ readonly data: T[]; readonly pagination: P }>): Promise<P & { items: T[] }>
}

/** What `there` makes of the service that the command calls, or `here` of the store. */
export async function reach<T>(
  context: Context,
  {
    here,
    there,
    account_id,
  }: {
    readonly here: (opened: OpenedAccount) => T | Promise<T>
    readonly there: (service: Service) => T
    /** Of the store; without it the one of `--account`. */
    readonly account_id?: string | undefined
  },
): Promise<T> {
  const { remote } = context
  if (remote === null) return here(await context.openAccount(account_id))
  const { url, key } = remote
  const answer = <A>(call: Promise<A>) => answered(url, call)
  return there({
    client: createClient({ baseUrl: url, key }),
    answer,
    data: async (call) => (await answer(call)).data,
    async listed(call) {
      const { data, pagination } = await answer(call)
      return { items: data, ...pagination }
    },
  })
}
