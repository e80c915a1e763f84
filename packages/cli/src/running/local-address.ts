import type { Storage } from '@sav/core/ports'
import type { Context } from '../invocation/context.js'
import type { Settings } from '../settings/settings.js'

const fact = 'local_address'

/** Keeps where the service that has just begun to listen is reached on its own machine, for commands that tell a link. */
export async function noteLocalAddress(storage: Storage, listener: { readonly url: string }): Promise<void> {
  // By a name, which passkeys need.
  const address = `http://localhost:${new URL(listener.url).port}`
  if ((await storage.reads.facts.get(fact)) === address) return
  await storage.transaction((tx) => tx.facts.set(fact, address))
}

/** What a link begins with that the API of a command tells as a path alone; null: nobody knows. */
export async function baseOf({ remote, open, settings }: Context): Promise<string | null> {
  return remote === null ? localAddress((await open()).storage, settings) : remote.url
}

/**
 * Where the service of this store is reached on its own machine: as it was last started, else as it would be; null: on a
 * port that is yet to be picked.
 */
export async function localAddress(storage: Storage, { port }: Pick<Settings, 'port'>): Promise<string | null> {
  return (await storage.reads.facts.get(fact)) ?? (port === 0 ? null : `http://localhost:${port}`)
}

/** A link that was told as a path alone, below the address of its service; as it is, where that cannot be told. */
export const wholeLink = (url: string, base: string | null): string =>
  url.startsWith('/') && base !== null ? base.replace(/\/+$/, '') + url : url
