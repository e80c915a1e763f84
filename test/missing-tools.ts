import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names at the end of a run what it did not show for want of a tool: whoever reads "passed" is to know. */
export default async function nameMissingTools(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'sav-missing-'))
  const notes = join(directory, 'notes')
  await writeFile(notes, '')
  process.env['SAV_TEST_MISSING'] = notes
  return async () => {
    const missing = new Set((await readFile(notes, 'utf8')).split('\n').filter((line) => line !== ''))
    await rm(directory, { recursive: true })
    for (const line of [...missing].toSorted()) console.error(line)
  }
}
