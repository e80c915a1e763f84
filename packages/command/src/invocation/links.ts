import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Storage } from '@sav/core/ports'
import type { ProcessIO } from '../process/process-io.js'
import type { Context } from './context.js'

const fact = 'local_address'

/** Stores the local address at which a service has just started to listen, for commands that print links. */
export async function noteLocalAddress(storage: Storage, listener: { readonly url: string }): Promise<void> {
  // The host is a name because passkeys do not work on an IP address.
  const address = `http://localhost:${new URL(listener.url).port}`
  if ((await storage.reads.facts.get(fact)) === address) return
  await storage.transaction((tx) => tx.facts.set(fact, address))
}

/**
 * The base URL for links that the API returns as paths. For a store, it is the local address at which its service last
 * started, or else the configured one; null if the port is not known yet.
 */
export async function baseOf({ remote, open, settings: { port } }: Context): Promise<string | null> {
  if (remote !== null) return remote.url
  const { reads } = (await open()).storage
  return (await reads.facts.get(fact)) ?? (port === 0 ? null : `http://localhost:${port}`)
}

/**
 * Prefixes a link that is only a path with `base`, the address of its service. If `base` is null, the link stays a
 * path.
 */
export const wholeLink = (url: string, base: string | null): string =>
  url.startsWith('/') && base !== null ? base.replace(/\/{1,9}$/, '') + url : url

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' }

/** Opens a file or an address in the default program of this computer. If that is impossible, a message says so. */
export async function openInProgram({ env, stderr }: Pick<ProcessIO, 'env' | 'stderr'>, target: string): Promise<void> {
  const opener = openers[process.platform] ?? 'xdg-open'
  const child = spawn(opener, [target], { detached: true, stdio: 'ignore', env })
  await once(child, 'spawn').catch(() => stderr.write(`The target cannot be opened here: ${opener} is missing.\n`))
  child.unref()
}
