import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const written = globSync('{packages,examples,bench,test,scripts}/**/*.{ts,tsx,mjs,css}', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|\.next)(\/|$)|\.gen\.ts$/.test(path),
})
const isTest = (file: string) => /\.test\.tsx?$/.test(file)

/** Files that exceeded the bound when it was introduced. These lists may only get shorter. */
const longFiles: string[] = []
const fullFolders = [
  'bench/src',
  // The contract has one file for each part of the port.
  'packages/storage-contract/src/contract',
]

it('a file has at most 400 lines', () => {
  const lines = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1
  expect(written.filter((file) => lines(file) > 400).toSorted()).toEqual(longFiles)
})

it('a folder has at most 24 source files', () => {
  const sizes = new Map<string, number>()
  for (const file of written.filter((name) => !isTest(name)))
    sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1)
  const full = [...sizes].filter(([, size]) => size > 24).map(([folder]) => folder)
  expect(full.toSorted()).toEqual(fullFolders)
})

/** The files in which Biome allows functions of more than 100 lines, and the configuration without that exception. */
function longFunctionsAllowedIn(): { readonly config: string; readonly files: string[] } {
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
  const allowing = config.overrides.findLast(
    (override: { linter?: { rules?: { complexity?: Record<string, unknown> } } }) =>
      override.linter?.rules?.complexity?.['noExcessiveLinesPerFunction'] === 'off',
  )
  const files: string[] = allowing.includes
  config.overrides = config.overrides.filter((override: unknown) => override !== allowing)
  return { config: JSON.stringify({ ...config, vcs: { enabled: false } }), files }
}

it('each function that is allowed more than 100 lines still has more', () => {
  const { config, files } = longFunctionsAllowedIn()
  const folder = mkdtempSync(join(tmpdir(), 'sav-bounds-'))
  for (const file of files) cpSync(join(root, file), join(folder, file))
  writeFileSync(join(folder, 'biome.json'), config)
  const args = ['lint', '--only=complexity/noExcessiveLinesPerFunction', '--reporter=json', folder]
  const { stdout } = spawnSync('biome', args, { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const found: { location: { path: string | { file: string } } }[] = JSON.parse(stdout).diagnostics
  const over = found.map(({ location: { path } }) => (typeof path === 'string' ? path : path.file))
  expect([...new Set(over.map((path) => path.replace(`${folder}/`, '')))].toSorted()).toEqual(files.toSorted())
})
