import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { newFile } from './files.js'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

it('the example of the README runs', async () => {
  expect(readFileSync(here('../README.md'), 'utf8')).toContain(
    `\`\`\`ts\n${readFileSync(here('example.ts'), 'utf8')}\`\`\``,
  )
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', here('../../../test/source.mjs'), here('example.ts')],
    {
      env: { ...process.env, SHOP_DB: newFile() },
    },
  )
  expect(stdout).toBe('orders of Lefèvre\n')
})
