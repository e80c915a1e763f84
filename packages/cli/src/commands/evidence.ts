import { clearLine, cursorTo } from 'node:readline'
import type { Context } from '../context.js'
import { exitCodes } from '../exit-codes.js'
import { table } from '../table.js'
import { terminalOf } from '../terminal.js'
import type { Output } from '../world.js'
import { idOf } from './cases.js'

export async function verifyEvidence(context: Context, id: string | undefined): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  const only =
    id === undefined ? {} : { case_id: (await sav.cases.get(account_id, await idOf(sav, account_id, id))).id }
  const progress = progressLine(context)
  const { checked, broken } = await sav.evidence.verify(account_id, { ...only, progress: progress.show })
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

/** A counter that rewrites itself, on a terminal only. */
function progressLine({ stderr, env }: Context): { show(checked: number): void; clear(): void } {
  if (!terminalOf(stderr, env).isTerminal) return { show() {}, clear() {} }
  return {
    show(checked) {
      stderr.write(`checked: ${checked}`)
      cursorTo(stderr, 0)
    },
    clear: () => clearLine(stderr, 0),
  }
}
