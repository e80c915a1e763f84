import { resolve } from 'node:path'
import type { EvidenceReport } from '@sav/core'
import type { Anchor, ErasedChain, FileCheckScope } from '@sav/core/adapter'
import { idOrReference } from '../cases/case-id.js'
import type { Context } from '../invocation/context.js'
import { CommandError } from '../process/command-error.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { progressLine } from '../terminal/progress-line.js'
import { table } from '../terminal/table.js'
import { counted } from '../terminal/terminal.js'
import { ofAllAccounts } from './all-accounts.js'
import { readAnchors } from './anchors.js'

export interface VerifyEvidenceOptions {
  /** Which files are read and hashed. */
  readonly files?: FileCheckScope
  /** A file with the output of `sav evidence anchor` or of a worker. */
  readonly anchor?: string
}

interface AccountReport extends EvidenceReport {
  readonly account: string
}

export async function verifyEvidence(
  context: Context,
  id: string | undefined,
  { files, anchor }: VerifyEvidenceOptions,
): Promise<Output> {
  const how = files !== undefined && { files }
  const progress = progressLine(context)
  const show = { progress: (entries: number) => progress.show(`checked: ${entries}`) }
  const anchors = anchor === undefined ? null : await anchorsAsked(context, anchor, id !== undefined)
  if (anchors === null || id !== undefined) {
    const { sav, account_id } = await openKnown(context)
    const asked = id === undefined ? null : await sav.cases.get(account_id, idOrReference(id))
    const only = asked === null ? {} : { case_id: asked.id }
    const report = await sav.evidence.verify(account_id, { ...only, ...how, ...show, anchors: anchors ?? [] })
    progress.clear()
    if (asked !== null && asked.preuve.length === 0 && report.broken.length === 0)
      return { json: report, text: `${asked.reference} was never closed: there is no evidence of it to check.` }
    return outputOf(context, report, report.broken)
  }
  const reports: AccountReport[] = []
  const { sav, storage } = await context.open()
  for (const account of new Set(anchors.map((each) => each.account))) {
    const { accounts, erasedAccounts } = storage.reads
    const isKnown = (await accounts.find(account)) !== null || (await erasedAccounts.find(account)) !== null
    const report = isKnown ? await sav.evidence.verify(account, { ...how, ...show, anchors }) : gone(account, anchors)
    reports.push({ account, ...report })
  }
  progress.clear()
  const broken = reports.flatMap((report) => report.broken.map((each) => ({ account: report.account, ...each })))
  return outputOf(context, { ...ofAllAccounts(reports), broken }, broken)
}

/**
 * Opens the account of `--account`, which may be erased.
 * @throws CommandError if it never existed
 */
async function openKnown(context: Context) {
  const { sav, storage } = await context.open()
  const wasErased = (await storage.reads.erasedAccounts.find(context.account)) !== null
  return wasErased ? { sav, account_id: context.account } : context.openAccount()
}

/** @throws CommandError with exit code 3 when the file has no anchor for the account */
async function anchorsAsked({ cwd, account, accountGiven }: Context, file: string, ofCase: boolean): Promise<Anchor[]> {
  const anchors = await readAnchors(resolve(cwd, file))
  if (anchors.length === 0) throw nothingAsked(`--anchor ${file}: holds no anchor, so nothing could be compared.`)
  if (!accountGiven && !ofCase) return anchors
  const asked = anchors.filter((each) => each.account === account)
  if (asked.length > 0) return asked
  const others = [...new Set(anchors.map((each) => each.account))].join(', ')
  throw nothingAsked(`--anchor ${file}: names ${others}, and not ${account}, so nothing could be compared.`)
}

const nothingAsked = (message: string) => new CommandError('not_found', message)

/** The report on an account that is in an anchor but not in the store. An erased account would still have a record. */
function gone(account: string, anchors: readonly Anchor[]): EvidenceReport {
  const ofAccount = anchors.filter((each) => each.account === account)
  const sequence = ofAccount.reduce((highest, each) => Math.max(highest, each.sequence), 0)
  const problem = `an anchor holds entry ${sequence} of account ${account}, which is not in this store`
  return { checked: 0, broken: [{ sequence, reference: '', problem }] }
}

type BrokenEntry = EvidenceReport['broken'][number] & { readonly account?: string }

function outputOf({ terminal }: Context, report: EvidenceReport, broken: readonly BrokenEntry[]): Output {
  const summary = [...(report.erased ?? []).map(erasedLine), summaryOf(report)].join('\n')
  if (broken.length === 0) return { json: report, text: `${summary}, nothing broken.` }
  const several = new Set(broken.map(({ account }) => account)).size > 1
  const head = [...(several ? ['ACCOUNT'] : []), 'ENTRY', 'REFERENCE', 'PROBLEM']
  const rows = broken.map(({ account, sequence, reference, problem }) => [
    ...(several ? [account ?? ''] : []),
    ...[sequence, reference, problem],
  ])
  return {
    json: report,
    text: `${table(terminal, head, rows, '')}\n\n${summary}, ${broken.length} broken.`,
    exitCode: exitCodes.failed,
  }
}

function erasedLine({ account, date, begun_by, chain_erased_by, sequence, hash_entree }: ErasedChain): string {
  if (date === null) return `The account ${account} is being erased: \`sav accounts erase ${account}\` completes that.`
  const end = sequence === null ? 'it had no evidence' : `its chain ended with entry ${sequence} (${hash_entree})`
  const who = [...new Set([begun_by, chain_erased_by])].filter((each) => each !== null)
  const by = who.length === 0 ? '' : ` by ${who.join(', then ')}`
  return `The account ${account} was erased on ${date.slice(0, 10)}${by}: ${end}.`
}

const summaryOf = ({ checked }: EvidenceReport) => `${counted(checked, 'entry', 'entries')} checked`
