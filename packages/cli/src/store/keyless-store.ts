import { keyIdOf } from '@sav/core/internal'
import type { Transaction } from '@sav/core/ports'
import type { CommandError } from '../process/command-error.js'
import type { Keys } from './compose.js'
import type { StoreStorage } from './database.js'
import { newSecretKey } from './secret-key.js'

interface KeylessStore extends Keys {
  readonly storage: StoreStorage
}

/**
 * A store without its secret key: everything works but opening and sealing secrets.
 * @param refusal thrown by what does
 */
export function keylessStore(storage: StoreStorage, refusal: CommandError): KeylessStore {
  // This key is kept nowhere: what it seals must not be stored.
  const secretKey = newSecretKey()
  const itsMark = `.${keyIdOf(secretKey)}.`
  const refuse = (args: readonly unknown[]) => {
    if (JSON.stringify(args)?.includes(itsMark)) throw refusal
  }
  return {
    storage: { ...storage, transaction: (work) => storage.transaction((tx) => work(guarded(tx, refuse))) },
    secretKey,
    findSecretKey: () => {
      throw refusal
    },
  }
}

/** The same transaction; `look` sees the arguments of each call first. */
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
