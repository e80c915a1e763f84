import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect } from 'vitest'

const run = promisify(execFile)

/** Resolves to the output of a command. @throws Error with the output so far, if the command fails */
export async function output(
  command: string,
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  // pnpm starts vitest with a NODE_PATH that lets `require` find packages installed for this workspace.
  const env = { ...process.env, NODE_PATH: '', ...more }
  const { stdout } = await run(command, args, { cwd, env, maxBuffer: 2 ** 26 })
  return stdout
}

/** Packs all built packages into `folder`. Resolves to the tarballs' paths by package name, such as `@sav/core`. */
export async function packedPackages(folder: string): Promise<Map<string, string>> {
  const { packAll } = await import(join(import.meta.dirname, '../scripts/packages.mjs'))
  packAll(folder)
  const files = await readdir(folder)
  return new Map(files.map((file) => [`@sav/${/^sav-(.*)-\d/.exec(file)?.[1]}`, join(folder, file)]))
}

/** Creates a project in `folder` in which npm has installed the given packages. */
export async function newProject(folder: string, installed: readonly string[]): Promise<string> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await output('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...installed], folder)
  return folder
}

/** The importable paths of an installed package, without data files. */
export async function subpathsOf(project: string, name: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(project, 'node_modules', name, 'package.json'), 'utf8'))
  const entries = Object.entries<Record<string, unknown> | string>(manifest.exports)
  return entries.filter(([, target]) => typeof target === 'object').map(([subpath]) => join(name, subpath))
}

/** The secret key of the programs that tests run. */
export const secretKey = Buffer.alloc(32, 7).toString('base64')

/**
 * Runs a program until it prints an address, requests `path` there, and ends the program with SIGTERM. Resolves to the
 * status.
 */
export async function answers(
  project: string,
  args: readonly string[],
  path: string,
  command = process.execPath,
): Promise<number> {
  const env = { ...process.env, NODE_PATH: '', SHOP_KEY: secretKey, PORT: '0' }
  const child = spawn(command, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [url] = /http:\/\/[\w.]+:\d+/.exec(line) ?? []
      if (url !== undefined) return (await fetch(`${url}${path}`)).status
    }
    throw new Error(`${args.join(' ')} ended without an address`)
  } finally {
    child.kill('SIGTERM')
    // Next always exits with the code of the signal, 143; the other programs exit with 0.
    expect(await ended).toEqual([args.some((arg) => arg.includes('/next/')) ? 143 : 0, null])
  }
}
