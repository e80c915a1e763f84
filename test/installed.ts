import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect } from 'vitest'

const run = promisify(execFile)

/** The output of a command; an error contains the output until it failed. */
export async function output(
  command: string,
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  // pnpm starts vitest with a NODE_PATH with which `require` would find what is installed for this workspace.
  const env = { ...process.env, NODE_PATH: '', ...more }
  const { stdout } = await run(command, args, { cwd, env, maxBuffer: 2 ** 26 })
  return stdout
}

/** Tarballs of all built packages, in `folder`: their paths by name, such as `@sav/core`. */
export async function packedPackages(folder: string): Promise<Map<string, string>> {
  const { packAll } = await import(join(import.meta.dirname, '../scripts/packages.mjs'))
  packAll(folder)
  const files = await readdir(folder)
  return new Map(files.map((file) => [`@sav/${/^sav-(.*)-\d/.exec(file)?.[1]}`, join(folder, file)]))
}

/** A new project in which npm has installed something. */
export async function newProject(folder: string, installed: readonly string[]): Promise<string> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await output('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...installed], folder)
  return folder
}

/** The importable paths of an installed package, without data. */
export async function subpathsOf(project: string, name: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(project, 'node_modules', name, 'package.json'), 'utf8'))
  const entries = Object.entries<Record<string, unknown> | string>(manifest.exports)
  return entries.filter(([, target]) => typeof target === 'object').map(([subpath]) => join(name, subpath))
}

/** The secret key of the programs that tests run. */
export const secretKey = Buffer.alloc(32, 7).toString('base64')

/** Runs a program until it prints an address, asks that, and ends the program well. */
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
    // Next tells the signal, whatever it was asked to do at its end.
    expect(await ended).toEqual([args.some((arg) => arg.includes('/next/')) ? 143 : 0, null])
  }
}
