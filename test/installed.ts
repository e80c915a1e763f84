import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

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
