import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Keeps the files that this run's tests write in memory, unless TMPDIR is set: on a disk, tests that write would spend
 * two thirds of their time waiting. A kill does not lose data in memory either. The long suites write to the disk, as a
 * service does. Resolves to a function that removes the folder.
 */
export default async function keepInMemory(): Promise<() => Promise<void>> {
  // When the terminal is closed, Vitest would end at once and leave PostgreSQL running.
  process.once('SIGHUP', () => process.exit(129))
  const { TMPDIR: chosen, SAV_TEST_CHAOS: chaos, SAV_TEST_FULL: full, SAV_TEST_FUZZ: fuzz } = process.env
  const memory = chosen || chaos || full || fuzz ? null : roomInMemory()
  if (memory === null) return async () => {}
  const folder = mkdtempSync(join(memory, 'sav-tests-'))
  // The folder has the mode of /tmp, since some tests run as another user.
  chmodSync(folder, 0o1777)
  process.env['TMPDIR'] = folder
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  return async () => remove()
}

/**
 * A folder in memory that has enough space for the tests and from which programs can run. Null if there is none, as in
 * some containers.
 */
export function roomInMemory(): string | null {
  const memory = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= 4 * 2 ** 30 && runsPrograms(memory) ? memory : null
  } catch {
    return null
  }
}

function runsPrograms(within: string): boolean {
  const folder = mkdtempSync(join(within, 'sav-tests-'))
  try {
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    return spawnSync(program).status === 0
  } finally {
    rmSync(folder, { recursive: true })
  }
}
