import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

it('the example in the README draws a report', async () => {
  const [readme, example] = await Promise.all(
    ['../README.md', 'example.ts'].map((file) => readFile(new URL(file, import.meta.url), 'utf8')),
  )
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)

  const directory = await mkdtemp(join(tmpdir(), 'sav-report-'))
  const before = process.cwd()
  onTestFinished(async () => {
    process.chdir(before)
    await rm(directory, { recursive: true })
  })
  process.chdir(directory)
  await import('./example.js')
  expect((await readFile('pv.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
})
