import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingPrograms } from '../needs.js'

/**
 * Reports before a run which tools are missing, and after it which proofs were skipped for lack of them. The result
 * "passed" alone would hide this.
 */
export default async function nameMissingTools(): Promise<() => Promise<void>> {
  const programs = missingPrograms()
  if (programs.length > 0)
    console.error(
      `Tests use some programs beside Node; what needs ${programs.join(', ')} is left out, as missing here.`,
    )
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
