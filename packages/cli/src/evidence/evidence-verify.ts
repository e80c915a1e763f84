import { resolve } from 'node:path'
import type { EvidenceReport, FilesChecked } from '@sav/core'
import { caseIdOf } from '../cases/reachable-cases.js'
import type { Context } from '../invocation/context.js'
import { exitCodes } from '../invocation/exit-codes.js'
import type { Output } from '../invocation/output.js'
import { counted } from '../terminal/counted.js'
import { progressLine } from '../terminal/progress-line.js'
import { table } from '../terminal/table.js'
import { readAnchors } from './anchors.js'

export interface VerifyEvidenceOptions {
  /** Which files are read and hashed. */
  readonly files?: FilesChecked
  /** A file of what `sav evidence anchor` printed or a worker left. */
  readonly anchor?: string
}

export async function verifyEvidence(
  context: Context,
  id: string | undefined,
  { files, anchor }: VerifyEvidenceOptions,
): Promise<Output> {
  const anchors = anchor === undefined ? [] : await readAnchors(resolve(context.cwd, anchor))
  const { sav, account_id } = await context.openAccount()
  const only =
    id === undefined ? {} : { case_id: (await sav.cases.get(account_id, await caseIdOf(sav.cases, account_id, id))).id }
  const progress = progressLine(context)
  const report = await sav.evidence.verify(account_id, {
    ...only,
    ...(files !== undefined && { files }),
    anchors,
    progress: (entries) => progress.show(`checked: ${entries}`),
  })
  progress.clear()
  const { broken } = report
  const summary = summaryOf(report)
  if (broken.length === 0) return { json: report, text: `${summary}, nothing broken.` }
  const rows = broken.map(({ sequence, reference, problem }) => [sequence, reference, problem])
  return {
    json: report,
    text: `${table(context.terminal, ['ENTRY', 'REFERENCE', 'PROBLEM'], rows, '')}\n\n${summary}, ${broken.length} broken.`,
    exitCode: exitCodes.failed,
  }
}

function summaryOf({ checked, uncovered, uncovered_interventions: visits }: EvidenceReport): string {
  const parts = [`${counted(checked, 'entry', 'entries')} checked`]
  if (uncovered > 0) parts.push(`${counted(uncovered, 'line')} of history from before they were chained`)
  if (visits > 0) parts.push(`${counted(visits, 'intervention')} from before they were part of the evidence`)
  return parts.join(', ')
}
