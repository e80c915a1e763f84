import { idOf } from '../cases/cases.js'
import type { Context } from '../invocation/context.js'
import { exitCodes } from '../invocation/exit-codes.js'
import type { Output } from '../invocation/output.js'
import { progressLine } from '../terminal/progress-line.js'
import { table } from '../terminal/table.js'

export async function verifyEvidence(context: Context, id: string | undefined): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  const only =
    id === undefined ? {} : { case_id: (await sav.cases.get(account_id, await idOf(sav, account_id, id))).id }
  const progress = progressLine(context)
  const { checked, broken } = await sav.evidence.verify(account_id, {
    ...only,
    progress: (entries) => progress.show(`checked: ${entries}`),
  })
  progress.clear()
  const counted = `${checked} ${checked === 1 ? 'entry' : 'entries'} checked`
  if (broken.length === 0) return { json: { checked, broken }, text: `${counted}, nothing broken.` }
  const rows = broken.map(({ sequence, reference, problem }) => [sequence, reference, problem])
  return {
    json: { checked, broken },
    text: `${table(context.terminal, ['ENTRY', 'REFERENCE', 'PROBLEM'], rows, '')}\n\n${counted}, ${broken.length} broken.`,
    exitCode: exitCodes.failed,
  }
}
