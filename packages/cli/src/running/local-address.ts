import type { Storage } from '@sav/core/ports'

const fact = 'local_address'

/** Keeps where the service that has just begun to listen is reached on its own machine, for commands that tell a link. */
export async function noteLocalAddress(storage: Storage, listener: { readonly url: string }): Promise<void> {
  // By a name, which passkeys need.
  const address = `http://localhost:${new URL(listener.url).port}`
  if ((await storage.reads.facts.get(fact)) === address) return
  await storage.transaction((tx) => tx.facts.set(fact, address))
}

/** Where the service of this store was last reached on its own machine; null: none was started yet. */
export const localAddress = (storage: Storage): Promise<string | null> => storage.reads.facts.get(fact)
