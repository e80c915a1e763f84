import { intact } from '../files/intact-file.js'
import type { StoredFile } from '../files/stored-file.js'
import { sha256Of } from '../node-crypto.js'
import { createFairQueue } from '../running/fair-queue.js'
import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import type { ReportRecord, ReportRenderer } from './report.js'
import { type CheckUrl, closeOf, contentOf } from './report-content.js'

export interface DrawingDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly renderer: ReportRenderer
  readonly checkUrl: CheckUrl
  /** Records the PDF in the case, in the transaction that stores it. */
  readonly recordDrawn: (tx: Transaction, report: ReportRecord, pdf: string) => Promise<void>
}

/** Draws reports, once each and one at a time. Accounts take turns: a long report delays only its own account. */
export interface ReportDrawer {
  /** The PDF of a report, drawn now if necessary; null if its close was erased. @throws DamagedFileError */
  pdfOf(report: ReportRecord): Promise<StoredFile | null>
  /**
   * Draws the oldest report of the account whose turn it is. Resolves to false when there is none, or it could not be
   * drawn.
   */
  step(): Promise<boolean>
}

/** How long a report that could not be drawn is skipped. */
const restMs = 60_000

/** The most reports that a step examines. */
const atOnce = 100

const nameOf = ({ account_id, sequence }: ReportRecord) => `${account_id} ${sequence}`

export function createDrawing({ storage, clock, renderer, checkUrl, recordDrawn }: DrawingDeps): ReportDrawer {
  /** By account and sequence: a channel may need the report that the worker is drawing. */
  const underWay = new Map<string, Promise<StoredFile | null>>()
  /** When a step last tried each undrawn report. */
  const triedAt = new Map<string, number>()

  const queue = createFairQueue({ atOnce: 1 })
  /** Accounts that have had their turn in this round. */
  const served = new Set<string>()

  function isResting(report: ReportRecord): boolean {
    const since = triedAt.get(nameOf(report))
    const now = clock.now()
    // Setting the clock back must not extend the pause.
    return since !== undefined && now >= since && now < since + restMs
  }

  async function draw(record: ReportRecord): Promise<StoredFile | null> {
    const { account_id, sequence } = record
    const close = await closeOf(storage.reads, record)
    if (close === null) return null
    const { entry, snapshot } = close
    const content = await queue.run({ account_id }, async () =>
      renderer.render(await contentOf(storage.reads, entry, snapshot, checkUrl)),
    )
    const file = { sha256: sha256Of(content), media_type: 'application/pdf', content }
    await storage.outsideFiles?.upload(account_id, [file])
    const pdf = await storage.transaction(async (tx) => {
      const report = await tx.reports.lock(account_id, sequence)
      if (report === null || report.erased_at !== null) return null
      if (report.pdf !== null) return report.pdf
      await tx.files.put(account_id, report.case_id, file)
      await tx.reports.update({ ...report, pdf: file.sha256 })
      await recordDrawn(tx, report, file.sha256)
      return file.sha256
    })
    if (pdf === null) return null
    if (pdf === file.sha256) return file
    // Another process was first: its PDF is the valid one.
    return intact(await storage.reads.files.find(account_id, record.case_id, pdf))
  }

  async function pdfOf(report: ReportRecord): Promise<StoredFile | null> {
    const { account_id, case_id, pdf, erased_at } = report
    if (erased_at !== null) return null
    if (pdf !== null) return intact(await storage.reads.files.find(account_id, case_id, pdf))
    const name = nameOf(report)
    const drawing = underWay.get(name) ?? draw(report).finally(() => underWay.delete(name))
    underWay.set(name, drawing)
    return drawing
  }

  async function nextUndrawn(): Promise<ReportRecord | undefined> {
    const passedOver = new Set(served)
    for (;;) {
      const undrawn = await storage.reads.reports.undrawn(atOnce, [...passedOver])
      const next = undrawn.find((report) => !isResting(report))
      if (next !== undefined) {
        served.add(next.account_id)
        return next
      }
      // Skip the accounts whose failing reports fill this list: reports of other accounts may follow.
      if (undrawn.length === atOnce) for (const { account_id } of undrawn) passedOver.add(account_id)
      else if (served.size === 0) return undefined
      else {
        served.clear()
        passedOver.clear()
      }
    }
  }

  return {
    pdfOf,
    async step() {
      const next = await nextUndrawn()
      if (next === undefined) return false
      triedAt.set(nameOf(next), clock.now())
      if ((await pdfOf(next)) === null) return false
      triedAt.delete(nameOf(next))
      return true
    },
  }
}
