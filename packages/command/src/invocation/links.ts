import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Storage } from '@sav/core/ports'
import type { ProcessIO } from '../process/process-io.js'
import type { Context } from './context.js'

const fact = 'local_address'

/** Stores the local address of the service that has just started to listen, for commands that print links. */
export async function noteLocalAddress(storage: Storage, listener: { readonly url: string }): Promise<void> {
  // Passkeys need a name, not an IP address.
  const address = `http://localhost:${new URL(listener.url).port}`
  if ((await storage.reads.facts.get(fact)) === address) return
  await storage.transaction((tx) => tx.facts.set(fact, address))
}

/**
 * The beginning of links that the API returns only as paths: for a store, the local address of its service, as last
 * started, or else as configured; null: its port is not known yet.
 */
export async function baseOf({ remote, open, settings: { port } }: Context): Promise<string | null> {
  if (remote !== null) return remote.url
  const { reads } = (await open()).storage
  return (await reads.facts.get(fact)) ?? (port === 0 ? null : `http://localhost:${port}`)
}

/** Completes a link that is only a path with the address of its service; unchanged if that is unknown. */
export const wholeLink = (url: string, base: string | null): string =>
  url.startsWith('/') && base !== null ? base.replace(/\/{1,9}$/, '') + url : url

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' }

/** Opens a file or an address in the default program of this computer; if there is none, it says so. */
export async function openInProgram({ env, stderr }: Pick<ProcessIO, 'env' | 'stderr'>, target: string): Promise<void> {
  const opener = openers[process.platform] ?? 'xdg-open'
  const child = spawn(opener, [target], { detached: true, stdio: 'ignore', env })
  await once(child, 'spawn').catch(() => stderr.write(`It cannot be opened here: ${opener} is missing.\n`))
  child.unref()
}
