import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ProcessIO } from '../invocation/process-io.js'

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' }

/** Shows a file or an address in the program that this computer has for it; where there is none, it says so. */
export async function openInProgram({ env, stderr }: Pick<ProcessIO, 'env' | 'stderr'>, target: string): Promise<void> {
  const opener = openers[process.platform] ?? 'xdg-open'
  const child = spawn(opener, [target], { detached: true, stdio: 'ignore', env })
  child.unref()
  await once(child, 'spawn').catch(() => stderr.write(`Nothing here opens it: ${opener} is missing.\n`))
}
