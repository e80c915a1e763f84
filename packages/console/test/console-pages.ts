import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the built pages. */
    readonly consolePages: string
  }
}

/** Builds the pages from the source, once per run. Resolves to a function that removes them. */
export default async function buildPages({ provide }: TestProject): Promise<() => Promise<void>> {
  const outDir = await mkdtemp(join(tmpdir(), 'sav-pages-'))
  const remove = () => rm(outDir, { recursive: true })
  const { NODE_ENV } = process.env
  try {
    const configFile = join(import.meta.dirname, '../vite.config.ts')
    // With another value, the pages would contain the test code of the libraries.
    process.env['NODE_ENV'] = 'production'
    await build({ configFile, build: { outDir, manifest: true } })
  } catch (error) {
    await remove()
    throw error
  } finally {
    if (NODE_ENV !== undefined) process.env['NODE_ENV'] = NODE_ENV
  }
  provide('consolePages', outDir)
  return remove
}
