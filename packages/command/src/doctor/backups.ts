import { sealProblem } from '../backup/taken.js'
import { fileProblem } from '../process/system-problem.js'
import type { Settings } from '../settings/settings.js'
import { counted } from '../terminal/terminal.js'
import type { Findings } from './findings.js'

/** Checks whether each backup matches its seal. */
export async function examineBackups(
  { facts, problems }: Findings,
  settings: Settings,
  backups: readonly string[],
): Promise<void> {
  if (backups.length === 0) return
  let intact = 0
  for (const backup of backups) {
    const problem = await sealProblem(backup, settings).then(
      (refusal) => refusal?.message ?? null,
      (error: unknown) => `${backup}: ${fileProblem(error)}`,
    )
    if (problem === null) intact += 1
    else problems.push(problem)
  }
  facts['backups'] = `${intact} of ${counted(backups.length, 'file')} with an intact seal`
}
