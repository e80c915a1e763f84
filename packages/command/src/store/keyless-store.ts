import { keyIdOf } from '@sav/core/adapter'
import type { EndpointRecord, Storage, Transaction } from '@sav/core/ports'
import type { CommandError } from '../process/command-error.js'
import type { Keys } from './compose.js'
import type { StoreStorage } from './database.js'
import { newSecretKey } from './secret-key.js'
import type { Announce } from './upgrade.js'

interface KeylessStore extends Keys {
  readonly storage: StoreStorage
}

interface KeylessOptions {
  /** Thrown by operations that need the key. */
  readonly refusal: CommandError
  /** Called once, when something is not shown because the key is missing. */
  readonly announce: Announce
}

/** A store without its secret key: everything works except opening and sealing secrets. */
export function keylessStore(storage: StoreStorage, { refusal, announce }: KeylessOptions): KeylessStore {
  // A key for this process only. Since it is not stored, `refuse` rejects every write that contains something sealed
  // with it.
  const secretKey = newSecretKey()
  const itsMark = `.${keyIdOf(secretKey)}.`
  const refuse = (args: readonly unknown[]) => {
    if (JSON.stringify(args)?.includes(itsMark)) throw refusal
  }
  return {
    storage: {
      ...storage,
      reads: replaced(storage.reads, { endpoints: withoutHeaders(storage.reads.endpoints, { refusal, announce }) }),
      transaction: (work) => storage.transaction((tx) => work(guarded(tx, refuse))),
    },
    secretKey,
    findSecretKey: () => {
      throw refusal
    },
  }
}

/** Reads endpoints without their headers, because headers are sealed. */
function withoutHeaders(
  endpoints: Storage['reads']['endpoints'],
  { refusal, announce }: KeylessOptions,
): Storage['reads']['endpoints'] {
  let isTold = false
  const shown = (endpoint: EndpointRecord): EndpointRecord => {
    if (endpoint.sealed_headers === null) return endpoint
    if (!isTold) announce(`The headers of webhooks are sealed, and not shown: ${refusal.message}`)
    isTold = true
    return { ...endpoint, sealed_headers: null }
  }
  return replaced(endpoints, {
    list: async (account_id: string) => (await endpoints.list(account_id)).map(shown),
    async find(account_id: string, id: string) {
      const found = await endpoints.find(account_id, id)
      return found && shown(found)
    },
  })
}

/** The object with some of its members replaced. */
const replaced = <Target extends object>(target: Target, others: Partial<Target>): Target =>
  new Proxy(target, {
    get(from, name) {
      const found = Reflect.get(name in others ? others : from, name)
      return typeof found === 'function' ? found.bind(from) : found
    },
  })

/** The transaction, with `look` called with the arguments of each call before the call is made. */
function guarded(tx: Transaction, look: (args: readonly unknown[]) => void): Transaction {
  const repository = (target: object) =>
    new Proxy(target, {
      get(from, name) {
        const found = Reflect.get(from, name)
        if (typeof found !== 'function') return found
        return (...args: unknown[]) => {
          look(args)
          return found.apply(from, args)
        }
      },
    })
  return new Proxy(tx, { get: (from, name) => repository(Reflect.get(from, name)) })
}
