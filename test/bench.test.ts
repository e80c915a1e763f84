import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const benches = globSync('bench/src/benches/*.ts', { cwd: join(import.meta.dirname, '..') })

// Node runs the benches' sources against the built packages; no compiler reports a missing module.
it.runIf(process.env['SAV_TEST_BUILT'] === '1')('every bench is loaded by Node', async () => {
  const urls = benches.map((file) => pathToFileURL(join(import.meta.dirname, '..', file)).href)
  const code = `for (const url of ${JSON.stringify(urls)}) console.log(typeof (await import(url)).run)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code])
  expect(stdout).toBe('function\n'.repeat(benches.length))
})
